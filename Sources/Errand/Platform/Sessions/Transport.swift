/// A transport of this library, for programs that let their users select one by name.
///
/// ```swift
/// let session = try Transport.curl.makeSession(connectionsPerOrigin: 12)
/// ```
public enum Transport: String, Sendable, Hashable, CaseIterable {
    /// `URLSession`, on every platform.
    case urlSession = "urlsession"
    /// `CurlSession`, on Linux.
    case curl

    /// The transport that ``PlatformSession`` uses: ``curl`` on Linux with glibc, otherwise ``urlSession``.
    public static var platform: Transport {
        #if canImport(Glibc)
            .curl
        #else
            .urlSession
        #endif
    }

    /// Creates a session over this transport.
    ///
    /// - Parameters:
    ///   - connections: The maximum number of connections to one origin, at least 1. If `nil`, the default of the
    ///     transport: 6 over `URLSession`, 64 over libcurl.
    ///   - usesProxies: Whether the proxies of the system or of the environment variables are used. The default is
    ///     `true`. A `URLSession` on Linux always uses them.
    /// - Returns: The session.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` if the platform does not support the
    ///   transport. A libcurl that is missing, or older than 7.76, is an error of the first request.
    public func makeSession(
        connectionsPerOrigin connections: Int? = nil, usesProxies: Bool = true
    ) throws(ServiceError) -> any APISession {
        switch self {
        case .urlSession:
            let configuration = URLSessionConfiguration.ephemeral
            if let connections { configuration.httpMaximumConnectionsPerHost = max(1, connections) }
            if !usesProxies { configuration.connectionProxyDictionary = [:] }
            return URLSession(configuration: configuration.hardened())
        case .curl:
            #if os(Linux)
                var configuration = CurlSession.Configuration()
                if let connections { configuration.connectionsPerOrigin = connections }
                if !usesProxies { configuration.proxy = .none }
                return CurlSession(configuration)
            #else
                throw ServiceError(
                    .configuration,
                    "unsupported transport curl: expected Linux, found \(Platform.name); use .urlSession")
            #endif
        }
    }
}

extension Platform {
    /// Creates the session of ``PlatformSession``.
    static func makeSession(check: @escaping @Sendable (APIRequest) throws -> Void) -> any APISession {
        #if canImport(Glibc)
            CurlSession(CurlSession.Configuration(), check: check)
        #else
            URLSessionAdapter(configuration: .ephemeral, check: check)
        #endif
    }
}
