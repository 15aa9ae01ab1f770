#if os(Linux)
    import Errand
    import ErrandLoopback
    import Foundation
    import TestSupport
    import Testing

    /// Proxies for plain http, and proxies that refuse a tunnel. Tests of working tunnels need a server with TLS.
    @Suite(.timeLimit(.minutes(1))) struct CurlProxyIntegrationTests {
        private func session(_ proxy: CurlSession.Proxy) -> CurlSession {
            var configuration = CurlSession.Configuration()
            configuration.proxy = proxy
            return CurlSession(configuration)
        }

        private func request(_ url: String) throws -> APIRequest {
            var request = APIRequest(head: URLRequest(url: try #require(URL(string: url))), body: .none)
            request.options.deadline = Deadline.after(.seconds(10) * TestEnvironment.patience)
            return request
        }

        /// Runs a body with a server that responds with the method, the target and the host of the request.
        private func withProxy(
            status: Int = 200, _ body: (LoopbackServer) async throws -> Void
        ) async throws {
            try await LoopbackServer.withServer { request in
                .text("\(request.method) \(request.target) of \(request["Host"] ?? "")", status: status)
            } _: {
                try await body($0)
            }
        }

        @Test func `a proxy receives the absolute URL`() async throws {
            try await withProxy { proxy in
                let session = session(.through(proxy.url))
                let response = try await session.send(try request("http://far.test/a?b=c"))
                #expect(response.body.data == Data("GET http://far.test/a?b=c of far.test".utf8))
            }
        }

        @Test func `an excepted host and its subdomains are requested directly`() async throws {
            try await withProxy { proxy in
                try await withProxy { server in
                    var configuration = CurlSession.Configuration()
                    configuration.proxy = .through(proxy.url, except: ["near.test", "127.0.0.1"])
                    configuration.addresses = ["near.test": "127.0.0.1", "a.near.test": "127.0.0.1"]
                    let session = CurlSession(configuration)
                    for host in ["127.0.0.1", "near.test", "a.near.test"] {
                        let url = "http://\(host):\(server.port)/x"
                        let response = try await session.send(try request(url))
                        #expect(response.body.data == Data("GET /x of \(host):\(server.port)".utf8))
                    }
                    let response = try await session.send(try request("http://notnear.test/x"))
                    #expect(response.body.data == Data("GET http://notnear.test/x of notnear.test".utf8))
                    #expect(proxy.connectionCount == 1)
                }
            }
        }

        @Test(
            "an invalid proxy URL is refused without printing its password",
            arguments: [
                "http://user:s3cr3t@proxy.test:99999", "ftp://user:s3cr3t@proxy.test", "http:user:s3cr3t", "s3cr3t",
            ])
        func noProxy(url: String) async throws {
            let proxy = CurlSession.Proxy.through(try #require(URL(string: url)))
            let error = await #expect(throws: ServiceError.self) {
                _ = try await session(proxy).send(try request("http://far.test/"))
            }
            #expect(error?.code == .configuration)
            #expect(error?.description.contains("s3cr3t") == false)
        }

        @Test func `a configuration's description omits the proxy's password`() async throws {
            let proxy = CurlSession.Proxy.through(try #require(URL(string: "http://user:s3cr3t@proxy.test:1")))
            var configuration = CurlSession.Configuration()
            configuration.proxy = proxy
            var dumped = ""
            dump(configuration, to: &dumped)
            #expect(
                ![dumped, "\(configuration)", "\(proxy)", String(reflecting: proxy)].contains { $0.contains("s3cr3t") })
        }

        @Test(arguments: [("socks5h", "far.test"), ("socks5", "127.0.0.1")])
        func `bytes of a SOCKS proxy are not part of the response`(scheme: String, host: String) async throws {
            try await withProxy { server in
                let proxy = try TunnelProxy(to: server.port)
                let session = session(.through(try #require(URL(string: "\(scheme)://127.0.0.1:\(proxy.port)"))))
                for _ in 0..<2 {
                    let response = try await session.send(try request("http://\(host)/a"))
                    #expect(response.body.data == Data("GET /a of \(host)".utf8))
                }
                #expect(proxy.requests == ["SOCKS \(host)"])
            }
        }

        /// libcurl repeats the request over a new connection if the kept one ends before a complete line has arrived.
        @Test func `a truncated response does not affect the retry through a new tunnel`()
            async throws
        {
            try await LoopbackServer.withServer { request in
                let isCutOff = request.connectionNumber == 1 && request.requestNumber == 2
                return isCutOff
                    ? .raw([.pause(.milliseconds(50)), .bytes(Data("HTTP/1.1 2".utf8))], then: .close) : .text("x")
            } _: { server in
                let proxy = try TunnelProxy(to: server.port)
                let session = session(.through(try #require(URL(string: "socks5h://127.0.0.1:\(proxy.port)"))))
                for _ in 0..<2 {
                    #expect(try await session.send(try request("http://far.test/a")).body.data == Data("x".utf8))
                }
                #expect(proxy.requests == ["SOCKS far.test", "SOCKS far.test"])
            }
        }

        /// Unsolicited bytes make the kept connection unusable. The request goes through a new tunnel.
        @Test func `unsolicited bytes do not affect the response through a new tunnel`()
            async throws
        {
            try await LoopbackServer.withServer { request in
                let response = Data("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx".utf8)
                let unasked = Data("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n".utf8)
                return .raw([.bytes(response), .pause(.milliseconds(20)), .bytes(unasked)], then: nil)
            } _: { server in
                let proxy = try TunnelProxy(to: server.port)
                let session = session(.through(try #require(URL(string: "socks5h://127.0.0.1:\(proxy.port)"))))
                for _ in 0..<4 {
                    #expect(try await session.send(try request("http://far.test/a")).body.data == Data("x".utf8))
                    await Soak.wait(.milliseconds(60))
                }
                #expect(proxy.requests.count == 4)
            }
        }

        @Test(arguments: [403, 407])
        func `a refused tunnel is a connection error`(status: Int) async throws {
            try await withProxy(status: status) { proxy in
                let error = try await #require(throws: ServiceError.self) {
                    _ = try await session(.through(proxy.url)).send(try request("https://far.test/"))
                }
                #expect(error.code == .connection && "\(error)".contains("\(status)"), "\(error)")
            }
        }

        @Test(arguments: [403, 407])
        func `a proxy's refusal is the response for plain http`(status: Int) async throws {
            try await withProxy(status: status) { proxy in
                let response = try await session(.through(proxy.url)).send(try request("http://far.test/"))
                #expect(response.head.status == status)
            }
        }

        @Test(arguments: ["http", "https"])
        func `an unreachable proxy is a connection error`(scheme: String) async throws {
            let proxy = try #require(URL(string: "http://127.0.0.1:1"))
            let error = try await #require(throws: ServiceError.self) {
                _ = try await session(.through(proxy)).send(try request("\(scheme)://far.test/"))
            }
            #expect(error.code == .connection, "\(error)")
        }

        @Test func `an error omits the proxy's password`() async throws {
            let proxy = try #require(URL(string: "http://user:letmein@127.0.0.1:1"))
            let error = try await #require(throws: ServiceError.self) {
                _ = try await session(.through(proxy)).send(try request("http://far.test/"))
            }
            #expect(!"\(error)".contains("letmein"), "\(error)")
        }
    }
#endif
