/// The half of an API call that reads the answer: pure and synchronous.
public protocol ResponseHandler<ResponseDataType>: Sendable {
    /// What the caller gets.
    associatedtype ResponseDataType: Sendable

    /// Turns an answer that the validators accepted into the caller's value.
    ///
    /// The loader can't interrupt this method. It discards the value if the deadline of the call has passed
    /// (``ServiceError/Code/timeout``) or its task has been cancelled (``ServiceError/Code/cancelled``).
    /// - Throws: Anything; the loader wraps what is not a ``ServiceError`` under ``ServiceError/Code/decoding``.
    func parseResponse(data: Data, response: HTTPURLResponse) throws -> ResponseDataType

    /// As ``parseResponse(data:response:)``, of the head as the session gave it: fields in their order, duplicates kept.
    ///
    /// The loader calls this one. By default it makes the `HTTPURLResponse` for the other, which on Linux costs about as
    /// much as half the request: a handler of many small answers may implement it too.
    /// - Throws: As the other.
    func parseResponse(data: Data, head: ResponseHead) throws -> ResponseDataType

    /// What an answer must pass before it is parsed, in order; the first failure wins. By default 2xx only.
    var validators: [ResponseValidator] { get }
}

extension ResponseHandler {
    /// ``ResponseValidator/status(_:)`` alone.
    public var validators: [ResponseValidator] { [.status()] }

    /// What ``parseResponse(data:response:)`` makes of it.
    /// - Throws: As that, and ``ServiceError`` with ``ServiceError/Code/badResponse`` where the platform refuses the head.
    public func parseResponse(data: Data, head: ResponseHead) throws -> ResponseDataType {
        try parseResponse(data: data, response: head.httpURLResponse())
    }
}
