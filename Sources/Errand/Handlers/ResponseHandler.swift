/// The part of an API call that parses the response. Implementations are pure and synchronous.
public protocol ResponseHandler<ResponseDataType>: Sendable {
    /// The value of the API call.
    associatedtype ResponseDataType: Sendable

    /// Parses a response that the validators have accepted. Implement this method or ``parseResponse(data:head:)``.
    ///
    /// The loader can't interrupt this method. It discards the value if the deadline of the API call has passed
    /// (``ServiceError/Code/timeout``) or its task has been cancelled (``ServiceError/Code/cancelled``).
    /// - Throws: Any error. The loader wraps errors other than ``ServiceError`` with ``ServiceError/Code/decoding``.
    func parseResponse(data: Data, response: HTTPURLResponse) throws -> ResponseDataType

    /// Parses a response, with the header section as the session received it: in order, and with repeated headers.
    ///
    /// The loader calls this method. A handler that wraps another handler calls it too. The default implementation
    /// creates an `HTTPURLResponse` and calls ``parseResponse(data:response:)``. On Linux, this takes about half as
    /// long as a request.
    /// - Throws: Any error that ``parseResponse(data:response:)`` throws.
    func parseResponse(data: Data, head: ResponseHead) throws -> ResponseDataType

    /// The validators that a response must pass before it is parsed, in order. The first failure is thrown. By
    /// default, the status must be 2xx.
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
        // Detects a handler that implements neither method. The two defaults would call each other endlessly.
        head.converter = ObjectIdentifier(Self.self)
        return try parseResponse(data: data, head: head)
    }
}
