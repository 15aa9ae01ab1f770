#if os(Linux)
    import Errand

    /// Ends the process while sessions are busy with TLS: `exit` must not crash.
    ///
    /// OpenSSL frees its tables in an `atexit` handler. Engine threads that still work then would read freed memory.
    struct ExitTrial: Sendable {
        let server: URL
        let authorities: URL

        private static let sessions = 6
        private static let callsPerSession = 4

        /// Starts endless calls, each over a new connection, and returns after some of them have ended.
        func run(milliseconds: Int) async {
            for _ in 0..<Self.sessions {
                var configuration = CurlSession.Configuration()
                configuration.proxy = .none
                configuration.tls.authorities = .file(authorities)
                configuration.offersHTTP2 = true
                let session = CurlSession(configuration)
                for _ in 0..<Self.callsPerSession {
                    // Unstructured, because the calls must outlive this function.
                    Task {
                        while !Task.isCancelled {
                            var request = APIRequest(head: URLRequest(url: server), body: .none)
                            request.options.deadline = .after(.milliseconds(20))
                            _ = try? await session.send(request)
                        }
                    }
                }
            }
            try? await SystemTime.system.sleep(until: SystemTime.system.now + .milliseconds(milliseconds))
        }
    }
#endif
