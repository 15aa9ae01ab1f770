public import Errand

/// What can be part of a ``GraphQLBatch``: a ``GraphQLRequest``.
public protocol GraphQLCall<RequestDataType, ResponseDataType>: APIHandler {
    /// The document, and which of its operations is meant.
    var document: QueryDocument { get }
}

extension GraphQLRequest: GraphQLCall {}

/// Several queries as one call, for services that take a JSON array of requests and answer with one of responses.
///
/// ```swift
/// let batch = GraphQLBatch(characters, episodes)
/// let (page, list) = try await APILoader(batch, session: session).load(CharactersVariables(page: 1), NoVariables())
/// ```
/// GraphQL over HTTP has no batches; many services know this form. All queries go to one place by POST, with the same header
/// fields, and the options of the first. Each response is judged for itself, as that of a ``GraphQLRequest``.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
public struct GraphQLBatch<each Call: GraphQLCall>: APIHandler {
    private let calls: (repeat each Call)

    /// Puts queries together; their answers come in the same order.
    public init(_ calls: repeat each Call) {
        self.calls = (repeat each calls)
    }

    /// Makes the request of all queries.
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/encoding`` where one can't be made, is sent
    ///   elsewhere or otherwise than by POST, or is no query.
    public func makeRequest(from data: (repeat (each Call).RequestDataType)) throws -> URLRequest {
        var batch: URLRequest?
        var bodies: [Data] = []
        for (call, input) in repeat (each calls, each data) {
            let request = try call.makeRequest(from: input)
            guard call.document.operation.kind == .query else {
                throw ServiceError(.encoding, "a batch has queries alone: the order of others is not known")
            }
            guard let body = request.httpBody else { throw ServiceError(.encoding, "a batch is sent by POST") }
            guard batch == nil || batch?.url == request.url else {
                throw ServiceError(.encoding, "the queries of a batch are for one service")
            }
            guard batch == nil || batch?.allHTTPHeaderFields == request.allHTTPHeaderFields else {
                throw ServiceError(.encoding, "the queries of a batch have the same header fields")
            }
            batch = batch ?? request
            bodies.append(body)
        }
        guard var batch else { throw ServiceError(.encoding, "the batch has no query") }
        batch.httpBody = RawJSON.array(bodies)
        return batch
    }

    /// The options of the first query.
    public func options(for data: (repeat (each Call).RequestDataType)) -> RequestOptions {
        for (call, input) in repeat (each calls, each data) { return call.options(for: input) }
        return RequestOptions()
    }

    /// None: statuses are judged as a ``GraphQLRequest`` does.
    public var validators: [ResponseValidator] { [] }

    /// Reads one response for each query.
    /// - Throws: As ``GraphQLRequest/parseResponse(data:head:)``; where the service answers for the batch as a whole with
    ///   errors, ``/Errand/ServiceError`` with ``Errand/ServiceError/Code/graphQL``.
    public func parseResponse(data: Data, head: ResponseHead) throws -> (repeat (each Call).ResponseDataType) {
        var answers = try answers(in: data, head)[...]
        let total = answers.count
        func read<Each: GraphQLCall>(_ call: Each) throws -> Each.ResponseDataType {
            do {
                return try call.parseResponse(data: answers.popFirst() ?? Data(), head: head)
            } catch {
                var failure = ServiceError(wrapping: error, as: .decoding, "the answer can't be read")
                failure.reason = "answer \(total - answers.count) of \(total): \(failure.reason)"
                throw failure
            }
        }
        return (repeat try read(each calls))
    }

    private func answers(in data: Data, _ head: ResponseHead) throws -> [Data] {
        var count = 0
        for _ in repeat each calls { count += 1 }
        guard let answers = RawJSON.elements(of: data, upTo: count + 1) else {
            let whole: GraphQLResponse<AnyData> = try GraphQLAnswer(head: head, body: data, decoder: .errand).response()
            _ = try whole.requireComplete()
            throw ServiceError(.decoding, "the body is one answer, expected an array of \(count)")
        }
        guard answers.count == count else {
            let found = answers.count > count ? "more" : "\(answers.count)"
            throw ServiceError(.decoding, "expected \(count) answers, found \(found)")
        }
        return answers
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension APILoader {
    /// Runs a batch: the variables of each of its queries, in their order.
    /// - Returns: The responses, in the same order.
    /// - Throws: ``/Errand/ServiceError``, and nothing else.
    @concurrent
    public func load<each Call: GraphQLCall>(
        _ variables: repeat (each Call).RequestDataType
    ) async throws(ServiceError) -> (repeat (each Call).ResponseDataType) where T == GraphQLBatch<repeat each Call> {
        try await load((repeat each variables))
    }
}
