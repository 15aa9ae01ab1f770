/// Where an API lives: scheme, host, port and route, to which paths are joined.
///
/// ```swift
/// let live: BaseURL = "https://api.gallery.example/v2"
/// let staging = BaseURL(subdomain: "api.staging", domain: "gallery.example", port: 8443, route: "v2")
/// try live.url(for: "/photos?page=2")              // https://api.gallery.example/v2/photos?page=2
/// ```
/// Only `http` and `https`; without `scheme://` a text means `https`. The host is a name, an IPv4 address or an IPv6
/// address in brackets; it is brought to lower case, and a name that is not ASCII to its `xn--` form (UTS #46). A query
/// is kept and goes before each path's own. A fragment and user information are refused (credentials belong into a
/// header field), so are a zone identifier, a control character, a `{` or `}`, and a route that climbs above its root.
/// Other characters of the route that no URI may hold are percent-encoded (RFC 3986, section 2.1).
///
/// Literals can't throw, so what is wrong is thrown by ``url(for:)``; ``validate()`` and ``init(validating:)`` find it
/// early. No description prints user information or secret query values.
public struct BaseURL: Sendable, Hashable {
    /// The checked components, or what is wrong with them.
    enum State: Sendable, Hashable {
        case valid(BaseComponents)
        case invalid(reason: String)
    }

    let state: State

    private init(_ make: () throws(ServiceError) -> BaseComponents) {
        do throws(ServiceError) { state = .valid(try make()) } catch { state = .invalid(reason: error.reason) }
    }

    /// Reads an address that was made before; it must have a scheme. What is wrong with it is thrown later.
    public init(_ url: URL) {
        self.init { () throws(ServiceError) in try BaseComponents(url.absoluteString, needsScheme: true) }
    }

    /// Puts a base together; what is wrong with it is thrown later.
    ///
    /// - Parameters:
    ///   - scheme: `https` or `http`, in any case.
    ///   - subdomain: Labels that go before the domain, such as `api.staging`; none unless given.
    ///   - domain: The host, such as `gallery.example`, `127.0.0.1` or `[::1]`.
    ///   - port: 1 to 65535; the scheme's own unless given.
    ///   - route: The path that all of the API's paths start with, with or without slashes; none unless given.
    public init(
        scheme: String = "https", subdomain: String? = nil, domain: String, port: Int? = nil, route: String? = nil
    ) {
        let host = [subdomain ?? "", domain].filter { !$0.isEmpty }.joined(separator: ".")
        self.init { () throws(ServiceError) in
            try BaseComponents(scheme: scheme, host: domain.isEmpty ? "" : host, port: port, route: route ?? "")
        }
    }

    /// Reads a base from a text, such as one of a settings file, and checks it at once.
    ///
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration``.
    public init(validating text: String) throws(ServiceError) {
        state = .valid(try BaseComponents(text, needsScheme: false))
    }

    /// Checks the base now rather than at the first call.
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
    /// Reads a literal; what is wrong with it is thrown later.
    public init(stringLiteral value: String) {
        self.init { () throws(ServiceError) in try BaseComponents(value, needsScheme: false) }
    }
}

extension BaseURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address as it may be printed.
    public var description: String {
        guard case .valid(let base) = state, let url = URL(string: base.text) else { return "‹invalid base URL›" }
        return Redaction.standard.address(url)
    }

    /// As ``description``.
    public var debugDescription: String { description }
    /// As ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["url": description], displayStyle: .struct) }
}
