#if os(Linux)
    import Errand
    import ErrandLoopback
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(1))) struct CurlURLIntegrationTests {
        /// The target arrives as it is written. It is not decoded, encoded again or normalized.
        @Test(arguments: [
            "/a/../b/./c", "/..", "/.", "//", "/a//b", "/%2e%2e/x", "/%2E/x", "/a%2fb", "/a%2Fb", "/%61", "/%00",
            "/%ff",
            "/a%20b", "/a+b", "/?", "/?a=b&a=c", "/?q=%20+%2B", "/?a/../b", "/a?b?c", "/a;b=c", "/a:b@c", "/~a", "/a%",
            "/a|b",
            "/\\..\\b", "/(a)'!*,$", "/ä",
        ])
        func `a path arrives unchanged`(target: String) async throws {
            try await CurlScene.run {
                .text($0.target)
            } _: { scene in
                let request = try scene.request(target)
                let written = try #require(request.url?.absoluteString.dropFirst(scene.server.url.absoluteString.count))
                #expect(try await scene.session.send(request).body.data == Data(written.utf8))
            }
        }

        @Test func `the fragment is not sent and an empty path becomes a slash`() async throws {
            try await CurlScene.run {
                .text($0.target)
            } _: { scene in
                let port = scene.server.port
                for (url, target) in [
                    ("http://127.0.0.1:\(port)/a#b?c", "/a"), ("http://127.0.0.1:\(port)", "/"),
                    ("http://127.0.0.1:\(port)?a", "/?a"), ("http://127.0.0.1:\(port)#a", "/"),
                    ("HTTP://127.0.0.1:\(port)/X", "/X"), ("HtTp://127.0.0.1:0\(port)/", "/"),
                ] {
                    let response = try await scene.session.send(CurlScene.request(url))
                    #expect(response.body.data == Data(target.utf8), "\(url)")
                }
            }
        }

        /// Some parsers take another part of such a URL for the host. The request must not reach any server.
        @Test(arguments: [
            "http://a@HERE/", "http://a:b@HERE/", "http://@HERE/", "http://:@HERE/", "http://a%00b/",
            "http://a%0d%0ab/",
            "http://HERE@192.0.2.1/", "http://192.0.2.1\\@HERE/", "http://HERE\\@192.0.2.1/",
            "http://127.0.0.1:1@HERE/",
            "http://[::1", "http://[::1]x/", "http://HERE%20/", "http://HERE%2f@192.0.2.1/", "ftp://HERE/",
            "file:///etc/passwd",
            "http:HERE/", "http:///", "http://", "gopher://HERE/", "http://127.0.0.1:99999/", "http://127.0.0.1:-1/",
        ])
        func `an ambiguous URL is refused`(pattern: String) async throws {
            try await CurlScene.run { _ in
                .text("x")
            } _: { scene in
                let text = pattern.replacingOccurrences(of: "HERE", with: "127.0.0.1:\(scene.server.port)")
                // Foundation refuses some of these texts itself.
                let made = try? CurlScene.request(text) { $0.deadline = .after(.seconds(3)) }
                guard let request = made else { return }
                let error = await #expect(throws: ServiceError.self) { try await scene.session.send(request) }
                #expect(
                    error.map { [.encoding, .connection].contains($0.code) } == true, "\(text): \(error?.reason ?? "")")
                #expect(scene.server.connectionCount == 0)
            }
        }

        @Test(.enabled(if: RawPeer.hasIPv6, "this machine has no IPv6"))
        func `an IPv6 literal is a valid host`() async throws {
            let peer = try RawPeer(.respondsEarly("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nv6"), isIPv6: true)
            let session = CurlSession(.direct)
            let response = try await session.send(CurlScene.request("http://[::1]:\(peer.port)/"))
            #expect(response.body.data == Data("v6".utf8))
            #expect(response.metrics?.remoteAddress == "::1")
        }

        @Test(arguments: ["api.example.test", "[2001:db8::1]", "192.0.2.9"])
        func `a mapped host connects to its mapped address`(host: String) async throws {
            try await LoopbackServer.withServer {
                .text($0["Host"] ?? "")
            } _: { server in
                for (address, port) in [("127.0.0.1:\(server.port)", 81), ("127.0.0.1", server.port)] {
                    var configuration = CurlSession.Configuration.direct
                    configuration.addresses = [host: address, "other.test": "192.0.2.7"]
                    let response = try await CurlSession(configuration)
                        .send(CurlScene.request("http://\(host):\(port)/"))
                    #expect(response.body.data == Data("\(host):\(port)".utf8))
                }
            }
        }

        /// libcurl would use only the part before the NUL.
        @Test(arguments: 0..<9)
        func `a setting that contains a NUL is refused`(index: Int) async throws {
            var configuration = CurlSession.Configuration()
            let text = "/a\0b"
            switch index {
            case 0: configuration.unixSocket = text
            case 1: configuration.addresses = [text: "127.0.0.1"]
            case 2: configuration.addresses = ["127.0.0.1": text]
            case 3: configuration.tls.pinnedKeys = ["x", text]
            case 4: configuration.tls.keyPassword = Secret(text)
            case 5: configuration.tls.authorities = .pem(text)
            case 6: configuration.proxy = .through(try #require(URL(string: "http://127.0.0.1:1")), except: [text])
            case 7: configuration.tls.authorities = .file(URL(filePath: text))
            default: configuration.tls.certificate = URL(filePath: text)
            }
            let session = CurlSession(configuration)
            let error = await #expect(throws: ServiceError.self) {
                try await session.send(CurlScene.request("http://127.0.0.1:1/"))
            }
            #expect(error?.code == .configuration && error?.reason.contains("NUL") == true, "\(error?.reason ?? "")")
        }
    }
#endif
