/// The half of an API call that reads the answer: pure and synchronous.
public protocol ResponseHandler<ResponseDataType>: Sendable {
    /// What the caller gets.
    associatedtype ResponseDataType: Sendable

    /// Turns an answer that the validators accepted into the caller's value. Implement this method or
    /// ``parseResponse(data:head:)``.
    ///
    /// The loader can't interrupt this method. It discards the value if the deadline of the call has passed
    /// (``ServiceError/Code/timeout``) or its task has been cancelled (``ServiceError/Code/cancelled``).
    /// - Throws: Anything; the loader wraps what is not a ``ServiceError`` under ``ServiceError/Code/decoding``.
    func parseResponse(data: Data, response: HTTPURLResponse) throws -> ResponseDataType

    /// Parses a response, with the header section as the session received it: in order, and with repeated headers.
    ///
    /// The loader calls this method. A handler that wraps another handler calls it too. The default implementation creates an
    /// `HTTPURLResponse` and calls ``parseResponse(data:response:)``. On Linux, this takes about half as long as a request.
    /// - Throws: Any error that ``parseResponse(data:response:)`` throws.
    func parseResponse(data: Data, head: ResponseHead) throws -> ResponseDataType

    /// What an answer must pass before it is parsed, in order; the first failure wins. By default 2xx only.
    var validators: [ResponseValidator] { get }
}

extension ResponseHandler {
    /// ``ResponseValidator/status(_:)`` alone.
    public var validators: [ResponseValidator] { [.status()] }

    /// The value of ``parseResponse(data:response:)``.
    /// - Throws: Any error that ``parseResponse(data:response:)`` throws, or a ``ServiceError`` with
    ///   ``ServiceError/Code/badResponse`` if the platform does not accept the header section.
    public func parseResponse(data: Data, head: ResponseHead) throws -> ResponseDataType {
        guard head.converter != ObjectIdentifier(Self.self) else {
            throw ServiceError(
                .configuration,
                "expected \(Self.self) to implement parseResponse(data:response:) or parseResponse(data:head:), found neither"
            )
        }
        return try parseResponse(data: data, response: head.httpURLResponse())
    }

    /// The value of ``parseResponse(data:head:)``.
    /// - Throws: Any error that ``parseResponse(data:head:)`` throws, or a ``ServiceError`` with
    ///   ``ServiceError/Code/configuration`` if the handler implements neither method.
    public func parseResponse(data: Data, response: HTTPURLResponse) throws -> ResponseDataType {
        guard var head = ResponseHead(response, for: nil) else {
            throw ServiceError(.badResponse, "the response has no URL")
        }
        // If the other method is a default too, the two would call each other for ever.
        head.converter = ObjectIdentifier(Self.self)
        return try parseResponse(data: data, head: head)
    }
}
