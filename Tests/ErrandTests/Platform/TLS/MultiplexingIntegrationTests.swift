#if os(Linux)
    import Errand
    import Foundation
    import TestSupport
    import Testing

    /// HTTP/2 connections of a `CurlSession` to a real server.
    @Suite(.timeLimit(.minutes(2)), .needsNginx, .besideNginx) struct MultiplexingIntegrationTests {
        private let scene: NginxScene

        init() throws { scene = try NginxScene() }

        /// Sends concurrent requests. Returns the first and the last response time of each connection, in seconds of
        /// the server's clock.
        private func uses(
            of count: Int, over session: CurlSession, _ port: Nginx.Port = .good,
            _ configure: @escaping @Sendable (inout APIRequest) -> Void = { _ in }
        ) async throws -> [String: ClosedRange<Double>] {
            try await withThrowingTaskGroup(of: (String, Double).self) { group in
                for index in 0..<count {
                    let request = try scene.request(port, "/\(index)", configure)
                    group.addTask {
                        let response = try await session.send(request)
                        #expect(response.head.status == 200 && response.metrics?.protocolName == "h2")
                        let moment = response.head.headers["X-Moment"].flatMap { Double($0) }
                        return (response.head.headers["X-Connection"] ?? "none", try #require(moment))
                    }
                }
                return try await group.reduce(into: [:]) { uses, response in
                    let use = uses[response.0] ?? response.1...response.1
                    uses[response.0] = min(use.lowerBound, response.1)...max(use.upperBound, response.1)
                }
            }
        }

        /// Sends concurrent requests. Returns the numbers of the connections that delivered the responses.
        private func connections(
            of count: Int, over session: CurlSession, _ port: Nginx.Port = .good,
            _ configure: @escaping @Sendable (inout APIRequest) -> Void = { _ in }
        ) async throws -> Set<String> {
            Set(try await uses(of: count, over: session, port, configure).keys)
        }

        @Test func `a hundred requests share an open connection`() async throws {
            let session = scene.session()
            let first = try await connections(of: 1, over: session)
            #expect(try await connections(of: 100, over: session) == first)
        }

        @Test(arguments: [100, 300])
        func `the first requests of a session wait for a shared connection`(count: Int) async throws {
            let used = try await connections(of: count, over: scene.session())
            // The server allows 128 streams of a connection. Before its SETTINGS frame arrives, libcurl before 7.77 assumes
            // 13, so further requests may open another connection. These versions also lack authorities as PEM text.
            let early = CurlLibrary.acceptsAuthorities ? 0 : 1
            #expect(used.count <= (count + 127) / 128 + early, "\(used)")
        }

        @Test func `the connection limit holds if connections allow few requests`()
            async throws
        {
            let session = scene.session { $0.connectionsPerOrigin = 6 }
            for _ in 0..<3 {
                // libcurl closes a connection if its server refuses a stream, and opens another. Only simultaneous ones
                // count.
                let uses = try await uses(of: 150, over: session, .narrow).values
                let atOnce = uses.map { use in
                    uses.count { $0.lowerBound <= use.lowerBound && $0.upperBound > use.lowerBound }
                }
                #expect(try #require(atOnce.max()) <= 6)
            }
        }

        @Test func `no request is lost when the server retires a connection`() async throws {
            let session = scene.session()
            for _ in 0..<4 { #expect(try await connections(of: 50, over: session, .brief).count >= 1) }
        }

        @Test func `HTTP 1.1 is the default`() async throws {
            let session = scene.session { $0.offersHTTP2 = CurlSession.Configuration().offersHTTP2 }
            let response = try await session.send(try scene.request(.good))
            #expect(response.metrics?.protocolName == "http/1.1")
            #expect(response.body.data.map { String(decoding: $0, as: UTF8.self) }?.hasPrefix("HTTP/1.1 ") == true)
            let second = try await session.send(try scene.request(.good))
            #expect(second.metrics?.isConnectionReused == true)
        }

        @Test func `a redirect is followed on the same connection`() async throws {
            let session = scene.session()
            let first = try await connections(of: 1, over: session)
            let response = try await session.send(try scene.request(.good, "/moved"))
            #expect(response.head.url.path == "/arrived" && response.head.headers["X-Connection"] == first.first)
            #expect(response.metrics?.protocolName == "h2")
        }

        @Test func `POST requests without a body open at most one connection each`() async throws {
            let used = try await connections(of: 5, over: scene.session()) { $0.method = .post }
            #expect(used.count <= 5)
        }

        @Test func `a gzip body is decoded`() async throws {
            let text = String(repeating: "to be packed\n", count: 20_000)
            try Data(text.utf8).write(to: scene.nginx.certificates.url.appending(path: "text.txt"))
            for delivery in [RequestOptions.Delivery.buffered, .streamed] {
                let request = try scene.request(.good, "/packed/text.txt") { $0.options.delivery = delivery }
                let response = try await scene.session { $0.offersHTTP2 = false }.send(request)
                #expect(
                    response.head.headers["Content-Encoding"] == "gzip" && response.head.headers["X-Connection"] != nil)
                #expect(try await response.body.collect() == Data(text.utf8))
                #expect((response.body.metrics?.bytesReceived ?? response.metrics?.bytesReceived ?? .max) < 10_000)
            }
        }

        @Test func `gzip does not prove that a response over HTTP 2 is complete`() async throws {
            let text = Data(String(repeating: "to be packed\n", count: 20_000).utf8)
            try text.write(to: scene.nginx.certificates.url.appending(path: "text2.txt"))
            let session = scene.session()
            let response = try await session.send(try scene.request(.good, "/packed/text2.txt"))
            #expect(response.metrics?.protocolName == "h2" && response.head.headers["Content-Encoding"] == nil)
            #expect(try await response.body.collect() == text)
            let request = try scene.request(.good, "/packed/text2.txt") {
                $0.head.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
            }
            let error = try await #require(throws: ServiceError.self) { _ = try await session.send(request) }
            #expect(error.code == .badResponse && error.reason.contains("nothing proves"), "\(error)")
        }

        @Test func `an upload of unknown length is sent completely`() async throws {
            let part = Data(repeating: 7, count: 100_000)
            let request = try scene.request(.good, "/upload") {
                $0.method = .put
                $0.body = .stream { AsyncParts(Array(repeating: part, count: 40)) }
            }
            let response = try await scene.session().send(request)
            #expect(response.head.status == 200 && response.metrics?.bytesSent == 4_000_000)
        }
    }
#endif
