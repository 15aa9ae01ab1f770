#if os(Linux)
    import Errand
    import Foundation
    import TestSupport
    import Testing

    /// Routes to a real server: through a tunnel, to a mapped IP address, and over a Unix domain socket.
    @Suite(.timeLimit(.minutes(2)), .needsNginx, .besideNginx) struct RouteIntegrationTests {
        private let scene: NginxScene

        init() throws { scene = try NginxScene() }

        @Test func `a tunnel carries HTTP 2 and adds no headers of the proxy`() async throws {
            let port = try #require(try scene.nginx.url(.good).port)
            let proxy = try TunnelProxy(to: port)
            let session = scene.session {
                $0.proxy = URL(string: "http://127.0.0.1:\(proxy.port)").map { .through($0) } ?? .none
            }
            for delivery in [RequestOptions.Delivery.buffered, .streamed] {
                let response = try await session.send(
                    try scene.request(.good) { $0.options.delivery = delivery })
                #expect(response.head.status == 200 && response.head.headers["X-Connection"] != nil)
                let body = String(decoding: try await response.body.collect(), as: UTF8.self)
                #expect(
                    body.hasPrefix(delivery == .buffered ? "HTTP/2.0 localhost " : "HTTP/1.1 localhost "), "\(body)")
            }
            #expect(proxy.requests.allSatisfy { $0 == "CONNECT localhost:\(port) HTTP/1.1" })
            #expect(proxy.requests.count == 2)
        }

        @Test func `a certificate is verified through a tunnel`() async throws {
            let proxy = try TunnelProxy(to: try #require(try scene.nginx.url(.unknown).port))
            let session = scene.session {
                $0.proxy = URL(string: "http://127.0.0.1:\(proxy.port)").map { .through($0) } ?? .none
            }
            let error = try await #require(throws: ServiceError.self) {
                _ = try await session.send(try scene.request(.unknown))
            }
            #expect(error.code == .certificate, "\(error)")
        }

        @Test func `a mapped address keeps the host name for TLS`() async throws {
            let port = try #require(try scene.nginx.url(.elsewhere).port)
            let session = scene.session { $0.addresses = ["elsewhere.example": "127.0.0.1:\(port)"] }
            let url = try #require(URL(string: "https://elsewhere.example/"))
            let response = try await session.send(APIRequest(head: URLRequest(url: url), body: .none))
            #expect(
                response.body.data.map { String(decoding: $0, as: UTF8.self) }?.contains(" elsewhere.example ") == true)
        }

        /// Over HTTP/2 the header becomes `:authority` (RFC 9113, section 8.3.1).
        @Test(arguments: [RequestOptions.Delivery.buffered, .streamed])
        func `a Host header selects the virtual host, not the certificate`(delivery: RequestOptions.Delivery)
            async throws
        {
            var request = try scene.request(.good) { $0.options.delivery = delivery }
            request.head.setValue("shop.test:81", forHTTPHeaderField: "Host")
            let response = try await scene.session().send(request)
            let body = String(decoding: try await response.body.collect(), as: UTF8.self)
            #expect(body.hasPrefix("HTTP/\(delivery == .buffered ? "2.0" : "1.1") shop.test "), "\(body)")
        }

        @Test func `a Unix domain socket is used for every URL`() async throws {
            let session = scene.session { $0.unixSocket = scene.nginx.socket }
            for host in ["one.test", "two.test:81"] {
                let url = try #require(URL(string: "http://\(host)/"))
                let response = try await session.send(APIRequest(head: URLRequest(url: url), body: .none))
                let name = host.prefix { $0 != ":" }
                #expect(response.body.data.map { String(decoding: $0, as: UTF8.self) }?.contains(" \(name) ") == true)
            }
        }

        /// All connections over a Unix domain socket have the same address and no ports.
        @Test func `a request over a Unix domain socket does not disturb paused responses`() async throws {
            let size = 16 << 20
            try Data(count: size).write(to: scene.nginx.certificates.url.appending(path: "paused"))
            let session = scene.session { $0.unixSocket = scene.nginx.socket }
            var request = APIRequest(
                head: URLRequest(url: try #require(URL(string: "http://one.test/files/paused"))), body: .none)
            request.options.delivery = .streamed
            let response = try await session.send(request)
            // After this time the reader's buffer is full, and the remaining bytes are in the socket.
            await Soak.wait(.milliseconds(60))
            let other = try await session.send(
                APIRequest(head: URLRequest(url: try #require(URL(string: "http://two.test/"))), body: .none))
            #expect(other.head.status == 200)
            #expect(try await response.body.collect(upTo: size).count == size)
        }

        @Test(arguments: ["/nowhere/socket", String(repeating: "long/", count: 40)])
        func `a missing Unix domain socket is a connection error`(path: String) async throws {
            let session = scene.session { $0.unixSocket = path }
            let url = try #require(URL(string: "http://one.test/"))
            let error = try await #require(throws: ServiceError.self) {
                _ = try await session.send(APIRequest(head: URLRequest(url: url), body: .none))
            }
            #expect(error.code == .connection, "\(error)")
        }
    }
#endif
