/// The base URL of an API: scheme, host, port and route. Paths are joined to it.
///
/// ```swift
/// let live: BaseURL = "https://api.gallery.example/v2"
/// let staging = BaseURL(subdomain: "api.staging", domain: "gallery.example", port: 8443, route: "v2")
/// try live.url(for: "/photos?page=2")              // https://api.gallery.example/v2/photos?page=2
/// ```
/// The scheme is `http` or `https`. A text without `scheme://` has the scheme `https`. The host is a name, an IPv4
/// address or an IPv6 address in brackets. It is converted to lowercase, and a name that is not ASCII to its `xn--`
/// form (UTS #46). A query is kept, and precedes the query of each path. A base URL must not have a fragment, user
/// information (send credentials in a header), a zone identifier, a control character, `{` or `}`, or a route that
/// leads above its root. Other characters of the route that are invalid in a URI are percent-encoded (RFC 3986,
/// section 2.1).
///
/// Literals cannot throw, so ``url(for:)`` throws their errors. ``validate()`` and ``init(validating:)`` report them
/// early. Descriptions contain no user information and no secret query values.
public struct BaseURL: Sendable, Hashable {
    /// The checked components, or the reason that they are invalid.
    enum State: Sendable, Hashable {
        case valid(BaseComponents)
        case invalid(reason: String)
    }

    let state: State

    private init(_ make: () throws(ServiceError) -> BaseComponents) {
        do throws(ServiceError) { state = .valid(try make()) } catch { state = .invalid(reason: error.reason) }
    }

    /// Creates a base URL from an absolute `URL`. Errors are thrown by ``url(for:)`` and ``validate()``.
    public init(_ url: URL) {
        self.init { () throws(ServiceError) in try BaseComponents(url.absoluteString, needsScheme: true) }
    }

    /// Creates a base URL from its components. Errors are thrown by ``url(for:)`` and ``validate()``.
    ///
    /// - Parameters:
    ///   - scheme: `https` or `http`, in any case.
    ///   - subdomain: The labels in front of the domain, such as `api.staging`. Optional.
    ///   - domain: The host, such as `gallery.example`, `127.0.0.1` or `[::1]`.
    ///   - port: The port, 1 to 65535. If `nil` (the default), the default port of the scheme.
    ///   - route: The common prefix of the paths of the API, with or without slashes. Optional.
    public init(
        scheme: String = "https", subdomain: String? = nil, domain: String, port: Int? = nil, route: String? = nil
    ) {
        let host = [subdomain ?? "", domain].filter { !$0.isEmpty }.joined(separator: ".")
        self.init { () throws(ServiceError) in
            try BaseComponents(scheme: scheme, host: domain.isEmpty ? "" : host, port: port, route: route ?? "")
        }
    }

    /// Parses and checks a base URL, such as one from a settings file.
    ///
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration``.
    public init(validating text: String) throws(ServiceError) {
        state = .valid(try BaseComponents(text, needsScheme: false))
    }

    /// Checks the base URL now, instead of at the first API call.
    ///
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration``.
    public func validate() throws(ServiceError) {
        _ = try components
    }

    var components: BaseComponents {
        get throws(ServiceError) {
            switch state {
            case .valid(let components): return components
            case .invalid(let reason): throw ServiceError(.configuration, reason)
            }
        }
    }
}

extension BaseURL: ExpressibleByStringLiteral {
    /// Creates a base URL from a literal. Errors are thrown by ``url(for:)`` and ``validate()``.
    public init(stringLiteral value: String) {
        self.init { () throws(ServiceError) in try BaseComponents(value, needsScheme: false) }
    }
}

extension BaseURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL without secrets.
    public var description: String {
        guard case .valid(let base) = state, let url = URL(string: base.text) else { return "‹invalid base URL›" }
        return Redaction.standard.url(url)
    }

    /// The same text as ``description``.
    public var debugDescription: String { description }
    /// A mirror that shows ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["url": description], displayStyle: .struct) }
}
