/// The part of an API call that makes the request. Implementations are pure and synchronous.
///
/// Helper methods: `setQueryParams`, `setJSONBody` and `setFormBody`, each for an `Encodable` value and for a
/// dictionary, ``RequestHandler/setHeaders(_:on:)`` and ``RequestHandler/setDefaultHeaders(on:accept:userAgent:)``.
public protocol RequestHandler<RequestDataType>: Sendable {
    /// The input of the API call: any `Sendable` type. Use `Void` for no input, a tuple for several inputs, and
    /// `[String: any Sendable]` for a dictionary of mixed values.
    associatedtype RequestDataType: Sendable
    /// The type of ``environment``. The default is ``NoEnvironment``.
    associatedtype Environment: APIEnvironment = NoEnvironment

    /// The deployment of the API. ``setDefaultHeaders(on:accept:userAgent:)`` sets its
    /// ``APIEnvironment/defaultHeaders``.
    ///
    /// A stored property with this name is sufficient: `let environment: GalleryEnvironment`. It must be as
    /// accessible as the handler. A handler without the property uses ``NoEnvironment``, which has no headers.
    var environment: Environment { get }

    /// Makes the request of one API call.
    ///
    /// The loader calls this method once for each call, and a second time for the replay after a 401 response
    /// (``AuthorizationInterceptor``). A retry sends the same request again. To sign each attempt, use an
    /// ``Interceptor``.
    /// - Throws: Any error. The loader wraps errors other than ``ServiceError`` with ``ServiceError/Code/encoding``.
    func makeRequest(from data: RequestDataType) throws -> URLRequest

    /// A body that replaces the body of the request, for content that a `URLRequest` can't hold:
    /// ``RequestBody/file(_:)`` or a stream. If `nil` (the default), the body of the request is sent.
    /// - Throws: Any error, like ``makeRequest(from:)``.
    func body(for data: RequestDataType) throws -> RequestBody?

    /// The options of the API call. The default is `RequestOptions()`.
    func options(for data: RequestDataType) -> RequestOptions

    /// The name of the API call in error messages, such as `photos`. The default is the type's name without generic
    /// parameters.
    ///
    /// A handler that wraps another handler returns the name of the wrapped handler.
    var callName: String { get }
}

extension RequestHandler where Environment == NoEnvironment {
    /// An environment without headers.
    public var environment: NoEnvironment { NoEnvironment() }
}

extension RequestHandler {
    /// The name of the type without generic parameters.
    public var callName: String { String("\(Self.self)".prefix { $0 != "<" }) }

    /// `nil`: the body of the request is sent.
    public func body(for data: RequestDataType) throws -> RequestBody? { nil }

    /// The default options.
    public func options(for data: RequestDataType) -> RequestOptions { RequestOptions() }
}
