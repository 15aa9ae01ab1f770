#if os(Linux)
    import ErrandSupport
    import CErrandCurl
    import Synchronization

    /// A session over libcurl, for Linux. It uses the libcurl that Foundation has loaded.
    ///
    /// ```swift
    /// let session = CurlSession()                                     // like `.platform`, but not shared
    /// let loader = APILoader(GalleryAPI(environment: .production), session: session)
    /// ```
    /// Connections are reused and, with ``Configuration/offersHTTP2``, shared by several requests. The server of a
    /// streamed body waits until the body is read. Responses are parsed strictly and within limits. The session keeps
    /// no cookies unless its configuration has a store, and it has no cache. Its connections are closed when the
    /// session is released and its last request has ended.
    ///
    /// It requires libcurl 7.76 or later, with TLS and asynchronous name lookup. Otherwise each request throws a
    /// ``ServiceError`` with the code ``ServiceError/Code/configuration`` that names the libcurl that was found. It
    /// does not fall back to `URLSession`, because a server can crash a process that uses `URLSession` on Linux.
    public final class CurlSession: APISession, NotesSecrets {
        private let configuration: Configuration
        private let check: @Sendable (APIRequest) throws -> Void
        private let engine = Locked<CurlEngine?>(nil)
        /// For streamed bodies from servers that may multiplex. See ``engine(for:)``.
        private let streaming = Locked<CurlEngine?>(nil)

        /// Creates a session. It opens connections with its first request.
        public convenience init(_ configuration: Configuration = Configuration()) {
            self.init(configuration, check: { _ in })
        }

        /// Creates a session that runs a check before each request, redirects included, and throws its error.
        init(_ configuration: Configuration, check: @escaping @Sendable (APIRequest) throws -> Void) {
            self.configuration = configuration
            self.check = check
        }

        deinit {
            engine.withLock { $0 }?.close()
            streaming.withLock { $0 }?.close()
        }

        /// Sends a request, and follows redirects by the rules of ``RedirectInterceptor``.
        public func send(_ request: APIRequest) async throws -> APIResponse {
            try request.checkSendable()
            let hop = Hop(session: self)
            // Inside the redirect interceptor, because each URL has its own cookies, and a redirect may set some.
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

        /// Returns the engine for a request.
        ///
        /// If HTTP/2 is offered, streamed bodies use a separate engine without it. On a shared connection, a reader
        /// that does not read would delay the responses to all other requests (libcurl before 8.1 stops the
        /// connection), or would have its complete window of 10 or 32 MB buffered in the memory of this process.
        private func engine(for request: APIRequest) throws(ServiceError) -> CurlEngine {
            guard configuration.offersHTTP2, request.options.delivery == .streamed,
                request.url?.scheme?.lowercased() == "https"
            else { return try started(engine, configuration) }
            var configuration = configuration
            configuration.offersHTTP2 = false
            return try started(streaming, configuration)
        }

        private func started(
            _ slot: borrowing Locked<CurlEngine?>, _ configuration: Configuration
        ) throws(ServiceError) -> CurlEngine {
            if let engine = slot.withLock({ $0 }) { return engine }
            try CurlLibrary.check()
            let settings = CurlSettings(configuration)
            try settings.check()
            let new = try CurlEngine(settings)
            let engine = slot.withLock { engine in
                engine = engine ?? new
                return engine
            }
            // If two first requests create an engine each, only the engine that was stored is started.
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
            // The engine can wait only on the system clock.
            return try await race(deadline) { try await call.perform() }
        }
    }
#endif
