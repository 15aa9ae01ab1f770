/// A handler that wraps another handler and changes part of its behavior. Requirements that it does not implement are
/// forwarded to the wrapped handler.
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
/// If the input type differs from that of the wrapped handler, implement `makeRequest(from:)`, and also `body(for:)`
/// and `options(for:)` if the wrapped handler implements them. To change the value or its type, implement
/// `parseResponse(data:head:)`. `parseResponse(data:response:)` of a wrapping handler is called only if the types
/// differ.
public protocol WrappingHandler<Wrapped>: APIHandler {
    /// The type of the wrapped handler.
    associatedtype Wrapped: APIHandler
    /// By default, the environment of the wrapped handler.
    associatedtype Environment = Wrapped.Environment

    /// The wrapped handler.
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
    /// - Throws: Any error that ``wrapped`` throws.
    public func makeRequest(from data: Wrapped.RequestDataType) throws -> URLRequest {
        try wrapped.makeRequest(from: data)
    }

    /// The body of ``wrapped``.
    /// - Throws: Any error that ``wrapped`` throws.
    public func body(for data: Wrapped.RequestDataType) throws -> RequestBody? { try wrapped.body(for: data) }

    /// The options of ``wrapped``.
    public func options(for data: Wrapped.RequestDataType) -> RequestOptions { wrapped.options(for: data) }
}

extension WrappingHandler where ResponseDataType == Wrapped.ResponseDataType {
    /// The value of ``wrapped``.
    /// - Throws: Any error that ``wrapped`` throws.
    public func parseResponse(data: Data, head: ResponseHead) throws -> Wrapped.ResponseDataType {
        try wrapped.parseResponse(data: data, head: head)
    }
}
