#if os(Linux)
    import ErrandSupport
    import CErrandCurl
    import Synchronization

    /// A session of this library's own on Linux: directly over the libcurl that Foundation has loaded.
    ///
    /// ```swift
    /// let session = CurlSession()                                     // what `.platform` is, but for yourself alone
    /// let loader = APILoader(GalleryAPI(environment: .production), session: session)
    /// ```
    /// Connections are kept, and with ``Configuration/offersHTTP2`` shared; streamed bodies wait for their reader; what a
    /// server sends is read strictly and within bounds. It keeps no cookies unless its configuration names a store, and
    /// no cache. Its connections are closed when it is dropped and its last request has ended.
    ///
    /// It requires libcurl 7.76 or later, with TLS and asynchronous name lookup. Otherwise each request throws a
    /// ``ServiceError`` with the code ``ServiceError/Code/configuration`` that names the libcurl that was found. There is no
    /// fallback to `URLSession`, because a server can crash a process that uses `URLSession` on Linux.
    public final class CurlSession: APISession, NotesSecrets {
        private let configuration: Configuration
        private let check: @Sendable (APIRequest) throws -> Void
        private let engine = Locked<CurlEngine?>(nil)
        /// For streamed bodies from servers that may multiplex: see ``engine(for:)``.
        private let streaming = Locked<CurlEngine?>(nil)

        /// Makes a session; it starts with its first request.
        public convenience init(_ configuration: Configuration = Configuration()) {
            self.init(configuration, check: { _ in })
        }

        /// A session that refuses what a check throws for, redirects included.
        init(_ configuration: Configuration, check: @escaping @Sendable (APIRequest) throws -> Void) {
            self.configuration = configuration
            self.check = check
        }

        deinit {
            engine.withLock { $0 }?.close()
            streaming.withLock { $0 }?.close()
        }

        /// Sends a request, and what redirects ask for.
        public func send(_ request: APIRequest) async throws -> APIResponse {
            try request.checkSendable()
            let hop = Hop(session: self)
            // Within the redirects: each address gets its own cookies, and a redirect may set some.
            let next = configuration.cookies.map { hop.intercepted(by: CookieInterceptor($0)) } ?? hop
            return try await RedirectInterceptor().intercept(request, next: next)
        }

        /// The session without redirects.
        private struct Hop: APISession {
            let session: CurlSession

            func send(_ request: APIRequest) async throws -> APIResponse {
                try session.check(request)
                try Task.checkCancellation()
                return try await request.notingSecrets { try await session.exchange($0) }
            }
        }

        /// The engine that carries a request out.
        ///
        /// Where HTTP/2 is offered, streamed bodies have an engine of their own, without it: on a shared connection a
        /// reader that does not read would hold up everybody else's answers (libcurl before 8.1 stops the connection) or
        /// have its whole window, of 10 or 32 MB, in this process's memory.
        private func engine(for request: APIRequest) throws(ServiceError) -> CurlEngine {
            guard configuration.offersHTTP2, request.options.delivery == .streamed,
                request.url?.scheme?.lowercased() == "https"
            else { return try started(engine, configuration) }
            var configuration = configuration
            configuration.offersHTTP2 = false
            return try started(streaming, configuration)
        }

        private func started(
            _ place: borrowing Locked<CurlEngine?>, _ configuration: Configuration
        ) throws(ServiceError) -> CurlEngine {
            if let engine = place.withLock({ $0 }) { return engine }
            try CurlLibrary.check()
            let settings = CurlSettings(configuration)
            try settings.check()
            let new = try CurlEngine(settings)
            let engine = place.withLock { engine in
                engine = engine ?? new
                return engine
            }
            // Two may come first at once.
            if engine === new { new.start() }
            return engine ?? new
        }
    }

    extension CurlSession {
        /// The name and version of the library, such as `libcurl 8.14.1`, or the reason why it cannot be used.
        package static var libraryVersion: String { CurlLibrary.state }

        private func exchange(_ request: APIRequest) async throws -> APIResponse {
            let call = try CurlCall(request, configuration, try engine(for: request))
            guard let deadline = request.options.deadline, !(deadline.time is SystemTime) else {
                return try await call.perform()
            }
            // A clock of somebody else's, which the engine can't wait on.
            return try await race(deadline) { try await call.perform() }
        }
    }
#endif
