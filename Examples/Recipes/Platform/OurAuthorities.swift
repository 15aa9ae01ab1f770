#if os(Linux)
    import Errand

    func insideSession(trusting authorities: URL) -> CurlSession {
        var configuration = CurlSession.Configuration()
        configuration.tls.authorities = .file(authorities)  // PEM, replaces the system's authorities
        configuration.tls.minimumVersion = .tls13
        configuration.proxy = .none
        configuration.cookies = CookieJar()
        return CurlSession(configuration)
    }
#endif
