/// A handler that runs another handler, with changes. What it does not implement is the other handler's.
///
/// ```swift
/// struct Signed<Wrapped: APIHandler>: WrappingHandler {
///     let wrapped: Wrapped
///
///     func makeRequest(from data: Wrapped.RequestDataType) throws -> URLRequest {
///         try sign(wrapped.makeRequest(from: data))
///     }
/// }
/// ```
/// A handler with another input implements `makeRequest`, and also `body` and `options` if the other handler has them. One with
/// another output implements `parseResponse(data:head:)`.
public protocol WrappingHandler<Wrapped>: APIHandler {
    /// The type of the other handler.
    associatedtype Wrapped: APIHandler
    /// By default, the environment of the other handler.
    associatedtype Environment = Wrapped.Environment

    /// The other handler.
    var wrapped: Wrapped { get }
}

extension WrappingHandler {
    /// The name of ``wrapped``.
    public var callName: String { wrapped.callName }

    /// The validators of ``wrapped``.
    public var validators: [ResponseValidator] { wrapped.validators }
}

extension WrappingHandler where Environment == Wrapped.Environment {
    /// The environment of ``wrapped``.
    public var environment: Wrapped.Environment { wrapped.environment }
}

extension WrappingHandler where RequestDataType == Wrapped.RequestDataType {
    /// The request of ``wrapped``.
    /// - Throws: What that throws.
    public func makeRequest(from data: Wrapped.RequestDataType) throws -> URLRequest {
        try wrapped.makeRequest(from: data)
    }

    /// The body of ``wrapped``.
    /// - Throws: What that throws.
    public func body(for data: Wrapped.RequestDataType) throws -> RequestBody? { try wrapped.body(for: data) }

    /// The options of ``wrapped``.
    public func options(for data: Wrapped.RequestDataType) -> RequestOptions { wrapped.options(for: data) }
}

extension WrappingHandler where ResponseDataType == Wrapped.ResponseDataType {
    /// The value of ``wrapped``.
    /// - Throws: What that throws.
    public func parseResponse(data: Data, head: ResponseHead) throws -> Wrapped.ResponseDataType {
        try wrapped.parseResponse(data: data, head: head)
    }
}
