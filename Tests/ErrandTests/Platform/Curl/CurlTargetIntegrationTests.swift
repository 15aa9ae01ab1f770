#if os(Linux)
    import Errand
    import ErrandLoopback
    import Foundation
    import TestSupport
    import Testing

    /// The request target that a server or a proxy receives, byte for byte (RFC 9112, section 3.2).
    ///
    /// libcurl 8.8 and later drop an empty query. The newest also normalize percent-encoded bytes.
    @Suite(.timeLimit(.minutes(1))) struct CurlTargetIntegrationTests {
        static let targets = [
            "/", "/?", "/a?", "/a%2fb", "/a%2Fb", "/%2e%2e/x", "/%2E/x", "/a/../b/./c", "//a", "/%ff", "/%FF", "/%61",
            "/%7Ea", "/~a", "/%00", "/a%20b", "/?a%2fb", "/?q=%ff", "/?q=%20+%2B", "/??", "/?a?", "/a;b=c,d:e@f",
            "/-._~!$&'()*+,;=:@", "/?-._~!$&'()*+,;=:@/?",
        ]

        /// The route of a request to the server that reports the target.
        enum Route: String, CaseIterable, Sendable {
            case direct, forwarded, socks, tunnel, tunnelToAddress
            /// Directly, because the server is an exception of the proxy.
            case excepted

            /// The prefix of the target that the server receives.
            func prefix(_ origin: String) -> String { self == .forwarded ? origin : "" }
        }

        private func session(_ route: Route, _ server: LoopbackServer, _ tunnel: TunnelProxy) throws -> CurlSession {
            var configuration = CurlSession.Configuration.direct
            let forwarding = server.url
            let tunnelling = try #require(URL(string: "http://127.0.0.1:\(tunnel.port)"))
            switch route {
            case .direct: break
            case .forwarded: configuration.proxy = .through(forwarding)
            case .socks: configuration.proxy = .through(try #require(URL(string: "socks5h://127.0.0.1:\(tunnel.port)")))
            case .tunnel, .tunnelToAddress: configuration.proxy = .through(tunnelling)
            case .excepted: configuration.proxy = .through(tunnelling, except: ["127.0.0.1"])
            }
            // libcurl uses a tunnel for a host that is mapped to another address.
            if route == .tunnel { configuration.addresses = ["far.test": "far.test:81"] }
            if route == .tunnelToAddress {
                configuration.addresses = ["other.test": "192.0.2.1", "far.test": "192.0.2.2"]
            }
            return CurlSession(configuration)
        }

        private func withServer(
            _ body: (_ server: LoopbackServer, _ tunnel: TunnelProxy) async throws -> Void
        ) async throws {
            try await LoopbackServer.withServer { request in
                guard let target = request["X-Location"] else { return .text(request.target) }
                return request.target.hasSuffix("/start")
                    ? .status(302).header("Location", target) : .text(request.target)
            } _: { server in
                try await body(server, try TunnelProxy(to: server.port))
            }
        }

        private func origin(_ route: Route, _ server: LoopbackServer) -> String {
            route == .direct || route == .excepted ? "http://127.0.0.1:\(server.port)" : "http://far.test"
        }

        /// All requests of a route share a session, and with it connections and handles.
        @Test(arguments: Route.allCases) func `a request target arrives unchanged`(route: Route) async throws {
            try await withServer { server, tunnel in
                let session = try session(route, server, tunnel)
                let origin = origin(route, server)
                for target in Self.targets {
                    for delivery in [RequestOptions.Delivery.buffered, .streamed] {
                        let request = try CurlScene.request(origin + target) { $0.delivery = delivery }
                        let body = try await session.send(request).body.collect()
                        #expect(String(decoding: body, as: UTF8.self) == route.prefix(origin) + target)
                    }
                }
                #expect(tunnel.requests.isEmpty == [.direct, .forwarded, .excepted].contains(route))
            }
        }

        @Test(arguments: [Route.direct, .forwarded])
        func `the target of a redirect is sent unchanged`(route: Route) async throws {
            try await withServer { server, tunnel in
                let session = try session(route, server, tunnel)
                let origin = origin(route, server)
                // Dot segments are removed when a reference is resolved (RFC 3986, section 5.2.4).
                for target in Self.targets where !target.contains("/..") && !target.hasPrefix("//") {
                    for location in [target, origin + target] {
                        var request = try CurlScene.request("\(origin)/start")
                        request.head.setValue(location, forHTTPHeaderField: "X-Location")
                        let body = try await session.send(request).body.collect()
                        #expect(String(decoding: body, as: UTF8.self) == route.prefix(origin) + target)
                    }
                }
            }
        }

        @Test func `one session sends both forms of a target`() async throws {
            try await withServer { proxy, tunnel in
                try await withServer { server, _ in
                    var configuration = CurlSession.Configuration.direct
                    configuration.proxy = .through(proxy.url, except: ["127.0.0.1"])
                    let session = CurlSession(configuration)
                    for target in ["/?", "/a%2fb", "/?", "/%2e%2e/x"] {
                        for (origin, prefix) in [
                            ("http://127.0.0.1:\(server.port)", ""), ("http://far.test", "http://far.test"),
                        ] {
                            let body = try await session.send(CurlScene.request(origin + target)).body.collect()
                            #expect(String(decoding: body, as: UTF8.self) == prefix + target)
                        }
                    }
                }
            }
        }

        @Test(arguments: [
            ("http://far.test", "http://far.test/"), ("http://far.test?", "http://far.test/?"),
            ("http://far.test?a#b", "http://far.test/?a"), ("http://far.test/#?", "http://far.test/"),
            ("http://far.test:81/a%2fb", "http://far.test:81/a%2fb"),
        ])
        func `a proxy receives the URL without its fragment and with a path`(url: String, target: String) async throws {
            try await withServer { server, tunnel in
                let session = try session(.forwarded, server, tunnel)
                let body = try await session.send(CurlScene.request(url)).body.collect()
                #expect(String(decoding: body, as: UTF8.self) == target)
            }
        }

        /// libcurl 8.21.0 refuses such a request, and later versions send it.
        @Test(.enabled(if: !CurlLibrary.state.hasPrefix("libcurl 8.21.0")))
        func `a proxy receives an IPv6 literal unchanged`() async throws {
            try await withServer { server, tunnel in
                let url = "http://[2001:db8::1]/?"
                let body = try await session(.forwarded, server, tunnel).send(CurlScene.request(url)).body.collect()
                #expect(String(decoding: body, as: UTF8.self) == url)
            }
        }

        @Test(arguments: ["http:///a/b", "http:///127.0.0.1/", "http://?a", "http://#a"])
        func `a URL without a host is refused before it is sent`(url: String) async throws {
            let request = try CurlScene.request(url)
            let error = await #expect(throws: ServiceError.self) { try await CurlSession(.direct).send(request) }
            #expect(error?.code == .encoding, "\(error?.reason ?? "")")
        }
    }
#endif
