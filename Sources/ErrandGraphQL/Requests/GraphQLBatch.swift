public import Errand

/// A call that can be part of a ``GraphQLBatch``: a ``GraphQLRequest``.
public protocol GraphQLCall<RequestDataType, ResponseDataType>: APIHandler {
    /// The document and the operation to run.
    var document: QueryDocument { get }
}

extension GraphQLRequest: GraphQLCall {}

/// Several queries in one HTTP request, for services that accept a JSON array of requests and return an array of
/// responses.
///
/// ```swift
/// let batch = GraphQLBatch(characters, episodes)
/// let (page, list) = try await APILoader(batch, session: session).load(CharactersVariables(page: 1), NoVariables())
/// ```
/// GraphQL over HTTP does not define batches, but many services support this format. All queries are sent to the same
/// URL by POST, with the same headers, and with the options of the first query. Each response is validated separately,
/// as that of a ``GraphQLRequest``.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public struct GraphQLBatch<each Call: GraphQLCall>: APIHandler {
    private let calls: (repeat each Call)

    /// Creates a batch. The responses have the same order as the queries.
    public init(_ calls: repeat each Call) {
        self.calls = (repeat each calls)
    }

    /// Creates the request for all queries.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/encoding`` if a request cannot be created,
    ///   has another URL or other headers than the first, has another method than POST, or is not a query.
    public func makeRequest(from data: (repeat (each Call).RequestDataType)) throws -> URLRequest {
        var batch: URLRequest?
        var bodies: [Data] = []
        for (call, input) in repeat (each calls, each data) {
            let request = try call.makeRequest(from: input)
            guard call.document.operation.kind == .query else {
                throw ServiceError(
                    .encoding, "expected only queries in a batch: the order of other operations is undefined")
            }
            guard let body = request.httpBody else {
                throw ServiceError(.encoding, "expected method POST for all queries of a batch")
            }
            guard batch == nil || batch?.url == request.url else {
                throw ServiceError(.encoding, "expected the same URL for all queries of a batch")
            }
            guard batch == nil || batch?.allHTTPHeaderFields == request.allHTTPHeaderFields else {
                throw ServiceError(.encoding, "expected the same headers for all queries of a batch")
            }
            batch = batch ?? request
            bodies.append(body)
        }
        guard var batch else { throw ServiceError(.encoding, "expected at least one query in the batch") }
        batch.httpBody = RawJSON.array(bodies)
        return batch
    }

    /// The options of the first query.
    public func options(for data: (repeat (each Call).RequestDataType)) -> RequestOptions {
        for (call, input) in repeat (each calls, each data) { return call.options(for: input) }
        return RequestOptions()
    }

    /// An empty array. Statuses are validated as for a ``GraphQLRequest``.
    public var validators: [ResponseValidator] { [] }

    /// Parses one response for each query.
    /// - Throws: The errors of ``GraphQLRequest/parseResponse(data:head:)``. If the service returns errors for the
    ///   complete batch, ``/Errand/ServiceError`` with ``Errand/ServiceError/Code/graphQL``.
    public func parseResponse(data: Data, head: ResponseHead) throws -> (repeat (each Call).ResponseDataType) {
        var responses = try responses(in: data, head)[...]
        let total = responses.count
        func read<Each: GraphQLCall>(_ call: Each) throws -> Each.ResponseDataType {
            do {
                return try call.parseResponse(data: responses.popFirst() ?? Data(), head: head)
            } catch {
                var failure = ServiceError(wrapping: error, as: .decoding, "the response can't be parsed")
                failure.reason = "response \(total - responses.count) of \(total): \(failure.reason)"
                throw failure
            }
        }
        return (repeat try read(each calls))
    }

    private func responses(in data: Data, _ head: ResponseHead) throws -> [Data] {
        var count = 0
        for _ in repeat each calls { count += 1 }
        guard let responses = RawJSON.elements(of: data, upTo: count + 1) else {
            let single: GraphQLResponse<AnyData> = try GraphQLResponseParser(head: head, body: data, decoder: .errand)
                .response()
            _ = try single.requireComplete()
            throw ServiceError(.decoding, "expected an array of \(count) responses, found a single response")
        }
        guard responses.count == count else {
            let found = responses.count > count ? "more" : "\(responses.count)"
            throw ServiceError(.decoding, "expected \(count) responses, found \(found)")
        }
        return responses
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APILoader {
    /// Runs a batch with the variables of each query, in their order.
    /// - Returns: The responses, in the same order.
    /// - Throws: Only ``/Errand/ServiceError``.
    @concurrent
    public func load<each Call: GraphQLCall>(
        _ variables: repeat (each Call).RequestDataType
    ) async throws(ServiceError) -> (repeat (each Call).ResponseDataType) where T == GraphQLBatch<repeat each Call> {
        try await load((repeat each variables))
    }
}
