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

    /// As ``parseResponse(data:response:)``, of the head as the session gave it: fields in their order, duplicates kept.
    ///
    /// The loader calls this one, and so do handlers that wrap another one. By default it creates the `HTTPURLResponse` for the
    /// other, which on Linux costs about as much as half the request.
    /// - Throws: As the other.
    func parseResponse(data: Data, head: ResponseHead) throws -> ResponseDataType

    /// What an answer must pass before it is parsed, in order; the first failure wins. By default 2xx only.
    var validators: [ResponseValidator] { get }
}

extension ResponseHandler {
    /// ``ResponseValidator/status(_:)`` alone.
    public var validators: [ResponseValidator] { [.status()] }

    /// The value of ``parseResponse(data:response:)``.
    /// - Throws: As that, and ``ServiceError`` with ``ServiceError/Code/badResponse`` where the platform refuses the head.
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
    /// - Throws: As that, and ``ServiceError`` with ``ServiceError/Code/configuration`` if the handler implements neither method.
    public func parseResponse(data: Data, response: HTTPURLResponse) throws -> ResponseDataType {
        guard var head = ResponseHead(response, for: nil) else {
            throw ServiceError(.badResponse, "the response has no URL")
        }
        // If the other method is a default too, the two would call each other for ever.
        head.converter = ObjectIdentifier(Self.self)
        return try parseResponse(data: data, head: head)
    }
}
