#if os(Linux)
    import Errand
    import ErrandLoopback
    import TestSupport
    import Testing

    /// `CurlSession` with a cookie jar and loopback servers.
    @Suite(.timeLimit(.minutes(1))) struct CookieSessionIntegrationTests {
        private func session(_ jar: CookieJar?) -> CurlSession {
            var configuration = CurlSession.Configuration()
            configuration.cookies = jar
            return CurlSession(configuration)
        }

        private func get(_ url: URL, _ session: CurlSession) async throws -> String {
            let response = try await session.send(APIRequest(head: URLRequest(url: url), body: .none))
            return String(decoding: try await response.body.collect(), as: UTF8.self)
        }

        /// A server with a login. It echoes the received cookies and redirects `/away` to another host.
        private static func reply(to request: LoopbackRequest, elsewhere: String) -> LoopbackReply {
            let cookies = request["Cookie"] ?? "none"
            switch request.path {
            case "/login":
                return .status(303).header("Location", "/home").header("Set-Cookie", "sid=s3cr3t; Path=/; HttpOnly")
                    .header("Set-Cookie", "seen=1; Expires=Fri, 09 Sep 2129 01:47:40 GMT")
            case "/away": return .status(307).header("Location", elsewhere)
            default: return .text(cookies)
            }
        }

        /// Runs a server on each of two hosts, because cookies do not distinguish ports.
        private func withServers(_ body: (_ here: URL, _ there: URL) async throws -> Void) async throws {
            try await LoopbackServer.withServer { request in
                .text(request["Cookie"] ?? "none").header("Set-Cookie", "there=1")
            } _: { other in
                let elsewhere = "http://localhost:\(other.port)/"
                try await LoopbackServer.withServer { request in
                    Self.reply(to: request, elsewhere: elsewhere)
                } _: { server in
                    try await body(server.url, try #require(URL(string: elsewhere)))
                }
            }
        }

        @Test func `a login redirect sets cookies for its own host only`() async throws {
            try await withServers { here, there in
                let jar = CookieJar()
                let session = session(jar)
                let visits = [
                    ("home", "none"), ("login", "sid=s3cr3t; seen=1"), ("home", "sid=s3cr3t; seen=1"), ("away", "none"),
                    ("away", "there=1"), ("home", "sid=s3cr3t; seen=1"),
                ]
                for (path, cookies) in visits {
                    let came = try await get(here.appending(path: path), session)
                    #expect(came == cookies, "\(path)")
                }
                let there = try await get(there, session)
                #expect(there == "there=1")
                jar.removeAll()
                let home = try await get(here.appending(path: "home"), session)
                #expect(home == "none")
            }
        }

        /// A server that tests for cookie support sets a cookie in a redirect to the same URL.
        @Test func `a redirect to the same URL that sets a cookie is followed`() async throws {
            try await LoopbackServer.withServer { request in
                request["Cookie"] == "checked=1"
                    ? .text("in") : .status(302).header("Location", request.target).header("Set-Cookie", "checked=1")
            } _: { server in
                let body = try await get(server.url.appending(path: "check"), session(CookieJar()))
                #expect(body == "in" && server.statistics.requests == 2)
            }
        }

        @Test func `a session without a jar stores no cookies`() async throws {
            try await withServers { here, _ in
                let session = session(nil)
                #expect(CurlSession.Configuration().cookies == nil)
                for _ in 1...2 {
                    let came = try await get(here.appending(path: "login"), session)
                    #expect(came == "none")
                }
            }
        }
    }
#endif
