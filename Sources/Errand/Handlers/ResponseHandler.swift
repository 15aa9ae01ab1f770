/// The half of an API call that reads the answer: pure and synchronous.
public protocol ResponseHandler<ResponseDataType>: Sendable {
    /// What the caller gets.
    associatedtype ResponseDataType: Sendable

    /// Turns an answer that the validators accepted into the caller's value.
    /// - Throws: Anything; the loader wraps what is not a ``ServiceError`` under ``ServiceError/Code/decoding``.
    func parseResponse(data: Data, response: HTTPURLResponse) throws -> ResponseDataType

    /// What an answer must pass before it is parsed, in order; the first failure wins. By default 2xx only.
    var validators: [ResponseValidator] { get }
}

extension ResponseHandler {
    /// ``ResponseValidator/status(_:)`` alone.
    public var validators: [ResponseValidator] { [.status()] }
}
