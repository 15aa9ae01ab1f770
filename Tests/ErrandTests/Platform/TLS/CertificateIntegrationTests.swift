#if os(Linux)
    import Errand
    import Foundation
    import TestSupport
    import Testing

    /// The verification of certificates by a `CurlSession`, against a real TLS server.
    @Suite(.timeLimit(.minutes(2)), .needsNginx, .besideNginx) struct CertificateIntegrationTests {
        private let scene: NginxScene
        private var certificates: Certificates { scene.nginx.certificates }

        init() throws { scene = try NginxScene() }

        private func failure(
            _ port: Nginx.Port, host: String = "localhost",
            _ configure: (inout CurlSession.Configuration) -> Void = { _ in }
        ) async throws -> ServiceError {
            let request = try scene.request(port, host: host)
            let clock = ContinuousClock()
            let start = clock.now
            let error = try await #require(throws: ServiceError.self) {
                _ = try await scene.session(configure).send(request)
            }
            #expect(clock.now - start < .seconds(2) * TestEnvironment.patience, "\(error)")
            return error
        }

        @Test func `a chain to a configured authority is trusted, by name and address`() async throws {
            let session = scene.session()
            for host in ["localhost", "127.0.0.1"] {
                let response = try await session.send(try scene.request(.good, host: host))
                let text = response.body.data.map { String(decoding: $0, as: UTF8.self) }
                #expect(text?.hasPrefix("HTTP/2.0 \(host) ") == true)
                #expect(response.metrics?.protocolName == "h2" && response.metrics?.secured != nil)
            }
        }

        /// nginx reports "r" for a resumed session, and "." for a complete handshake. From libcurl 8.12, this also holds
        /// without the shared sessions of an engine.
        @Test(arguments: [Nginx.Port.good, .old])
        func `new connections resume a TLS session`(port: Nginx.Port) async throws {
            try Data(count: 16 << 20).write(to: certificates.url.appending(path: "unread-\(port)"))
            let session = scene.session { $0.offersHTTP2 = false }
            // Nothing reads this body, so its transfer keeps its handle of libcurl, and the next requests need another.
            let unread = try await session.send(
                try scene.request(port, "/files/unread-\(port)") { $0.options.delivery = .streamed })
            #expect(unread.head.headers["X-Resumed"] == ".")
            let request = try scene.request(port) { $0.head.setValue("close", forHTTPHeaderField: "Connection") }
            for _ in 0..<3 { #expect(try await session.send(request).head.headers["X-Resumed"] == "r") }
            // Another `CurlSession` does not use these TLS sessions, because its settings may differ.
            let other = try await scene.session { $0.offersHTTP2 = false }.send(request)
            #expect(other.head.headers["X-Resumed"] == ".")
            withExtendedLifetime(unread) {}
        }

        @Test(.enabled(if: CurlLibrary.acceptsAuthorities)) func `authorities can be PEM text`() async throws {
            let text = try String(contentsOf: certificates.authority, encoding: .utf8)
            let session = scene.session { $0.tls.authorities = .pem(text) }
            #expect(try await session.send(try scene.request(.good)).head.status == 200)
            let other = try String(contentsOf: certificates.url.appending(path: "stranger.pem"), encoding: .utf8)
            #expect(try await failure(.good) { $0.tls.authorities = .pem(other) }.code == .certificate)
        }

        @Test func `the system's authorities do not include the test authority`() async throws {
            #expect(try await failure(.good) { $0.tls.authorities = .system }.code == .certificate)
        }

        @Test func `unreadable authorities are a TLS error`() async throws {
            #expect(try await failure(.good) { $0.tls.authorities = .file(URL(filePath: "/nowhere.pem")) }.code == .tls)
            let code = try await failure(.good) { $0.tls.authorities = .pem("nothing of the kind") }.code
            #expect(code == (CurlLibrary.acceptsAuthorities ? .tls : .configuration))
        }

        @Test(arguments: [
            (Nginx.Port.elsewhere, ServiceError.Code.certificateHost), (.expired, .certificateExpired),
            (.future, .certificateExpired), (.unknown, .certificate),
        ])
        func `each certificate error has its own code`(port: Nginx.Port, code: ServiceError.Code) async throws {
            for host in ["localhost", "127.0.0.1"] {
                let error = try await failure(port, host: host)
                #expect(error.code == code, "\(error)")
            }
        }

        @Test func `a server with an untrusted certificate receives no request`() async throws {
            let before = scene.nginx.requests.count
            _ = try await failure(.unknown)
            // The log is written in order, so this entry follows any entry of the first request.
            _ = try await scene.session().send(try scene.request(.good, "/behind"))
            try await Soak.wait { scene.nginx.requests.contains { $0.last == "/behind" } }
            #expect(scene.nginx.requests[before...].allSatisfy { $0.last != "/unknown" })
        }

        @Test func `a pinned key is required in addition to a trusted chain`() async throws {
            let (right, wrong) = (try certificates.pin(of: "good"), try certificates.pin(of: "unknown"))
            for pins in [[wrong, right], [right], ["sha256//\(right)"], ["sha256//\(wrong)", right]] {
                let session = scene.session { $0.tls.pinnedKeys = pins }
                #expect(try await session.send(try scene.request(.good)).head.status == 200)
            }
            #expect(try await failure(.good) { $0.tls.pinnedKeys = [wrong] }.code == .certificatePin)
            #expect(try await failure(.unknown) { $0.tls.pinnedKeys = [wrong] }.code == .certificate)
            #expect(try await failure(.good) { $0.tls.pinnedKeys = ["sha256//\(wrong)"] }.code == .certificatePin)
            #expect(try await failure(.good) { $0.tls.pinnedKeys = ["not a digest"] }.code == .configuration)
        }

        @Test func `a TLS version older than the minimum is refused`() async throws {
            #expect(try await scene.session().send(try scene.request(.old)).head.status == 200)
            #expect(try await failure(.old) { $0.tls.minimumVersion = .tls13 }.code == .tls)
            let session = scene.session { $0.tls.minimumVersion = .tls13 }
            #expect(try await session.send(try scene.request(.good)).head.status == 200)
        }

        @Test func `a client certificate is sent if one is configured`() async throws {
            let without = try await scene.session().send(try scene.request(.asking))
            #expect(without.head.status == 400, "expected a refusal without a client certificate")
            let session = scene.session { $0.tls.certificate = certificates.client }
            let with = try await session.send(try scene.request(.asking))
            #expect(with.head.status == 200 && with.head.headers["X-Client"] == "CN=client")
        }

        @Test func `a client's key can have a separate file and a password`() async throws {
            let locked: (inout CurlSession.Configuration) -> Void = {
                $0.tls.certificate = certificates.url.appending(path: "client.pem")
                $0.tls.key = certificates.url.appending(path: "client.locked")
            }
            let session = scene.session { configuration in
                locked(&configuration)
                configuration.tls.keyPassword = Secret("letmein")
            }
            #expect(try await session.send(try scene.request(.asking)).head.headers["X-Client"] == "CN=client")
            let wrong = try await failure(.asking) {
                locked(&$0)
                $0.tls.keyPassword = Secret("wrong")
            }
            #expect(wrong.code == .tls && !"\(wrong)".contains("wrong"), "\(wrong)")
            #expect(try await failure(.asking) { $0.tls.certificate = URL(filePath: "/nowhere.pem") }.code == .tls)
        }

        @Test func `a server without TLS is a TLS error`() async throws {
            let plain = try scene.nginx.url(.plain)
            let url = try #require(URL(string: plain.absoluteString.replacing("http:", with: "https:")))
            let error = try await #require(throws: ServiceError.self) {
                _ = try await scene.session().send(APIRequest(head: URLRequest(url: url), body: .none))
            }
            #expect(error.code == .tls, "\(error)")
        }
    }
#endif
