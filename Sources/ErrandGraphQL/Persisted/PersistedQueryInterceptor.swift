public import Errand
import ErrandJSON
import ErrandSupport

/// Sends the SHA-256 hash of a document in its place: automatic persisted queries, as Apollo's servers and others have them.
///
/// ```swift
/// let session = URLSession.shared.intercepted(by: PersistedQueryInterceptor(), RetryInterceptor())
/// let answer = try await APILoader(request, session: session).load(variables)      // nothing else changes
/// ```
/// A service that does not know the hash yet (`PersistedQueryNotFound`) is sent hash and document, which it then keeps;
/// one that knows no hashes at all (`PersistedQueryNotSupported`) the request as it was, and from then on at once. That is
/// one more round trip at most, and nothing has been executed before it, so that mutations are safe, too.
///
/// It belongs outside of interceptors that share or keep answers: with ``GraphQLRequest/method`` GET, short addresses are what
/// an HTTP cache can serve. Requests that are none of GraphQL over HTTP, streamed ones and those that have a
/// `persistedQuery` of their own pass through it as they are.
public final class PersistedQueryInterceptor: Interceptor {
    /// How many services that know no hashes are remembered: 1,000.
    private static let mostServices = 1_000
    /// Larger bodies than this are no refusal: 64 kB.
    private static let longestRefusal = 65_536

    private let withoutHashes = Locked<Set<Service>>([])

    /// Makes the interceptor; it remembers which services know no hashes.
    public init() {}

    /// Sends a request by its hash, and once more where the service needs the document.
    /// - Throws: What the session throws.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let service = Service(request)
        guard case .buffered(let limit) = request.options.delivery,
            !withoutHashes.withLock({ $0.contains(service) }), let query = PersistedQuery(request)
        else { return try await next.send(request) }
        var response = try await next.send(query.hashed)
        let body = try await response.body.collect(upTo: limit)
        response.metrics = response.metrics ?? response.body.metrics
        response.body = ResponseBody(body)
        switch refusal(body) {
        case .notFound:
            note("the service does not know the hash: the document follows", request)
            return try await next.send(query.whole)
        case .notSupported:
            note("the service knows no hashes: the document follows", request)
            remember(service)
            return try await next.send(request)
        case nil: return response
        }
    }
}

extension PersistedQueryInterceptor {
    /// Where a service is.
    private struct Service: Hashable {
        let origin: Origin
        let path: String

        init(_ request: APIRequest) {
            origin = Origin(request.url)
            path = request.path
        }
    }

    private enum Refusal { case notFound, notSupported }

    /// What a request error says about the hash, whatever the status; nil where it is about something else.
    private func refusal(_ body: Data) -> Refusal? {
        guard body.count <= Self.longestRefusal else { return nil }
        guard let response = try? FastJSONDecoder().decode(GraphQLResponse<AnyData>.self, from: body) else {
            return nil
        }
        guard response.data == nil else { return nil }
        // One with a path is a field's: the operation was executed.
        for error in response.errors where error.path == nil {
            if error.code == "PERSISTED_QUERY_NOT_FOUND" || error.message == "PersistedQueryNotFound" {
                return .notFound
            }
            if error.code == "PERSISTED_QUERY_NOT_SUPPORTED" || error.message == "PersistedQueryNotSupported" {
                return .notSupported
            }
        }
        return nil
    }

    private func remember(_ service: Service) {
        withoutHashes.withLock { services in
            if services.count >= Self.mostServices { services = [] }
            services.insert(service)
        }
    }

    private func note(_ text: String, _ request: APIRequest) {
        request.options.trail?.note(text, from: .init("persisted query"))
    }
}
