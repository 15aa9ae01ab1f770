/// The half of an API call that makes the request: pure and synchronous.
///
/// Its helpers: `setQueryParams`, `setJSONBody`, `setFormBody`, each for any `Encodable` and for a dictionary,
/// ``RequestHandler/setHeaders(_:on:)`` and ``RequestHandler/setDefaultHeaders(on:accept:userAgent:)``.
public protocol RequestHandler<RequestDataType>: Sendable {
    /// What the caller gives: any `Sendable` type. `Void` where nothing is needed, a tuple for several inputs, and
    /// `[String: any Sendable]` for a dictionary of mixed values.
    associatedtype RequestDataType: Sendable
    /// Where the API lives: the type of ``environment``, or ``NoEnvironment``.
    associatedtype Environment: APIEnvironment = NoEnvironment

    /// Where the API lives. ``setDefaultHeaders(on:accept:userAgent:)`` sets its ``APIEnvironment/defaultHeaders``.
    ///
    /// A stored property of this name is enough: `let environment: GalleryEnvironment`. It must be as accessible as the
    /// handler. A handler that has none uses ``NoEnvironment``, which has no headers.
    var environment: Environment { get }

    /// Makes the request for one call.
    /// - Throws: Anything; the loader wraps what is not a ``ServiceError`` under ``ServiceError/Code/encoding``.
    func makeRequest(from data: RequestDataType) throws -> URLRequest

    /// A body that a `URLRequest` can't hold, such as ``RequestBody/file(_:)`` or a stream; it goes in the place of the
    /// request's own. Nil, the default: the request has what is sent.
    /// - Throws: As ``makeRequest(from:)`` does.
    func body(for data: RequestDataType) throws -> RequestBody?

    /// How the call is carried out; the defaults of ``RequestOptions`` unless the handler says otherwise.
    func options(for data: RequestDataType) -> RequestOptions

    /// The API call's name in error messages, such as `photos`. Defaults to the type's name without generic parameters.
    ///
    /// A handler that wraps another one returns the inner handler's name.
    var callName: String { get }
}

extension RequestHandler where Environment == NoEnvironment {
    /// No environment.
    public var environment: NoEnvironment { NoEnvironment() }
}

extension RequestHandler {
    /// The type's name without generic parameters.
    public var callName: String { String("\(Self.self)".prefix { $0 != "<" }) }

    /// The request has what is sent.
    public func body(for data: RequestDataType) throws -> RequestBody? { nil }

    /// The defaults of ``RequestOptions``.
    public func options(for data: RequestDataType) -> RequestOptions { RequestOptions() }
}
