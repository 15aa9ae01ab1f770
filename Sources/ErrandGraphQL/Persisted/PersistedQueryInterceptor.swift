public import Errand
import ErrandJSON
import ErrandSupport

/// An interceptor that sends the SHA-256 hash of a document instead of the document. Such automatic persisted queries
/// are supported by Apollo's servers and others.
///
/// ```swift
/// let session = URLSession.shared.intercepted(by: PersistedQueryInterceptor(), RetryInterceptor())
/// let response = try await APILoader(request, session: session).load(variables)    // nothing else changes
/// ```
/// If the service does not know the hash yet (`PersistedQueryNotFound`), the interceptor sends hash and document, and
/// the service stores the document. If the service does not support hashes (`PersistedQueryNotSupported`), the
/// interceptor sends the original request, and sends later requests to this service without a hash. Both cases cost one
/// more round trip at most. Nothing has been executed before it, so that mutations are safe too.
///
/// Put the interceptor outside of interceptors that share or cache responses. With ``GraphQLRequest/method`` GET, the
/// URLs are short, and an HTTP cache can serve them. Requests that are not GraphQL over HTTP, requests with a streamed
/// response, and requests that already have a `persistedQuery` extension are sent unchanged.
public final class PersistedQueryInterceptor: Interceptor {
    /// The maximum number of remembered services that do not support hashes: 1,000.
    private static let maximumServices = 1_000
    /// The maximum size of a response that rejects a hash: 64 kB.
    private static let longestRefusal = 65_536

    private let withoutHashes = Locked<Set<Service>>([])

    /// Creates an interceptor. It remembers which services do not support hashes.
    public init() {}

    /// Sends a request with its hash, and again with the document if the service requires it.
    /// - Throws: The errors of the session.
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
            note("hash not found: sending the document", request)
            return try await next.send(query.complete)
        case .notSupported:
            note("hashes not supported: sending the document", request)
            remember(service)
            return try await next.send(request)
        case nil: return response
        }
    }
}

extension PersistedQueryInterceptor {
    /// The origin and the path of a service.
    private struct Service: Hashable {
        let scheme: String?
        let host: String?
        let port: Int?
        let path: String

        init(_ request: APIRequest) {
            scheme = request.url?.scheme?.lowercased()
            host = request.url?.host()?.lowercased()
            port = request.url?.port
            path = request.path
        }
    }

    private enum Refusal { case notFound, notSupported }

    /// Returns the reason for which the service rejected the hash, with any status. Returns `nil` for other responses.
    private func refusal(_ body: Data) -> Refusal? {
        guard body.count <= Self.longestRefusal else { return nil }
        guard let response = try? FastJSONDecoder().decode(GraphQLResponse<AnyData>.self, from: body) else {
            return nil
        }
        guard response.data == nil else { return nil }
        // An error with a path belongs to a field, so the operation was executed.
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
            if services.count >= Self.maximumServices { services = [] }
            services.insert(service)
        }
    }

    private func note(_ text: String, _ request: APIRequest) {
        request.options.trail?.note(text, from: .init("persisted query"))
    }
}
