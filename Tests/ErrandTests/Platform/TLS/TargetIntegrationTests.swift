#if os(Linux)
    import Errand
    import Foundation
    import TestSupport
    import Testing

    /// The request target that a real server receives over TLS, byte for byte.
    @Suite(.timeLimit(.minutes(2)), .needsNginx, .besideNginx) struct TargetIntegrationTests {
        /// Buffered responses come over HTTP/2, streamed ones over HTTP/1.1.
        @Test(arguments: [false, true], [RequestOptions.Delivery.buffered, .streamed])
        func `a target arrives unchanged, also through a tunnel`(
            tunnels: Bool, delivery: RequestOptions.Delivery
        ) async throws {
            let scene = try NginxScene()
            let tunnel = try TunnelProxy(to: try #require(try scene.nginx.url(.good).port))
            let proxy = try #require(URL(string: "http://127.0.0.1:\(tunnel.port)"))
            let session = scene.session { $0.proxy = tunnels ? .through(proxy) : .none }
            for target in [
                "/", "/?", "/a?", "/a%2fb", "/a%2Fb", "/%ff", "/%61", "/%7Ea", "/a/./b", "//a", "/?a%2fb", "/?q=%ff",
                "/??",
            ] {
                let response = try await session.send(scene.request(.good, target) { $0.options.delivery = delivery })
                #expect(response.head.headers["X-Target"] == target)
                let body = String(decoding: try await response.body.collect(), as: UTF8.self)
                #expect(body.hasPrefix(delivery == .buffered ? "HTTP/2.0 " : "HTTP/1.1 "))
            }
            #expect(tunnel.requests.isEmpty == !tunnels)
        }
    }
#endif
