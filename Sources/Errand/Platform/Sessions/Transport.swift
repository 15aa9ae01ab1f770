/// The transports that this library brings, by name: for programs that let their users choose.
///
/// ```swift
/// let session = try Transport.curl.makeSession(connectionsPerOrigin: 12)
/// ```
public enum Transport: String, Sendable, Hashable, CaseIterable {
    /// `URLSession`, on every platform.
    case urlSession = "urlsession"
    /// `CurlSession`, on Linux.
    case curl

    /// The one that ``PlatformSession`` uses here: ``curl`` on Linux with glibc, else ``urlSession``.
    public static var platform: Transport {
        #if canImport(Glibc)
            .curl
        #else
            .urlSession
        #endif
    }

    /// A session of its own over this transport.
    ///
    /// - Parameters:
    ///   - connections: The most connections to one origin, at least 1; by default what the transport takes: 6 over
    ///     `URLSession`, 64 over libcurl.
    ///   - usesProxies: Whether the proxies of the system, or of the environment's variables, are used: by default they are.
    ///     A `URLSession` on Linux uses them whatever this says.
    /// - Returns: The session.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` where the platform lacks the transport. A libcurl
    ///   that is missing, or older than 7.76, is an error of the first request.
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
                throw ServiceError(.configuration, "there is no CurlSession on \(Platform.name)")
            #endif
        }
    }
}

extension Platform {
    /// The session of ``PlatformSession``.
    static func makeSession(check: @escaping @Sendable (APIRequest) throws -> Void) -> any APISession {
        #if canImport(Glibc)
            CurlSession(CurlSession.Configuration(), check: check)
        #else
            URLSessionAdapter(configuration: .ephemeral, check: check)
        #endif
    }
}
