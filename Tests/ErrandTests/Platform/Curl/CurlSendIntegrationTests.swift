#if os(Linux)
    import ErrandSupport
    import CErrandCurl
    import Errand
    import ErrandLoopback
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(1))) struct CurlSendIntegrationTests {
        private static func stream(_ texts: [String], length: Int64? = nil) -> RequestBody {
            .stream(length: length) {
                AsyncStream<Data> { source in
                    for text in texts { source.yield(Data(text.utf8)) }
                    source.finish()
                }
            }
        }

        @Test func `bodies of every kind arrive completely`() async throws {
            let file = FileManager.default.temporaryDirectory.appending(path: "errand-\(UUID().uuidString)")
            try Data("file".utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let rows: [(body: RequestBody, text: String, length: String?)] = [
                (.data(Data("data".utf8)), "data", "4"),
                (.data(Data()), "", "0"),
                (.file(file), "file", "4"),
                (Self.stream(["a", "", "bc"], length: 3), "abc", "3"),
                (Self.stream(["a", "", "bc"]), "abc", nil),
                (Self.stream([]), "", nil),
                (Self.stream([], length: 0), "", "0"),
            ]
            try await CurlScene.run { request in
                .data(request.body).header("X-Length", request["Content-Length"] ?? "none")
                    .header("X-Coding", request["Transfer-Encoding"] ?? "none")
                    .header("X-Type", request["Content-Type"] ?? "none").header("X-Expect", request["Expect"] ?? "none")
            } _: { scene in
                for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"] {
                    for row in rows {
                        let response = try await scene.session.send(scene.request("/", method, body: row.body))
                        #expect(response.body.data == Data(row.text.utf8), "\(method) \(row.body)")
                        #expect(response.head.headers["X-Length"] == row.length ?? "none", "\(method) \(row.body)")
                        #expect(response.head.headers["X-Coding"] == (row.length == nil ? "chunked" : "none"))
                        #expect(response.head.headers["X-Type"] == "application/octet-stream")
                        #expect(response.head.headers["X-Expect"] == "none")
                    }
                }
                for method in ["POST", "QUERY"] {
                    let empty = try await scene.session.send(scene.request("/", method))
                    #expect(empty.head.headers["X-Length"] == "0")
                }
                let none = try await scene.session.send(scene.request("/", "DELETE"))
                #expect(none.head.headers["X-Length"] == "none" && none.head.headers["X-Type"] == "none")
            }
        }

        @Test func `a large file arrives completely`() async throws {
            let count = TestEnvironment.rounds(16, heavy: 100, patient: 4) << 20
            let bytes = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 131 >> 5) })
            let complete = (0..<(count >> 20)).reduce(into: Data(capacity: count)) { complete, _ in
                complete.append(bytes)
            }
            let file = FileManager.default.temporaryDirectory.appending(path: "errand-\(UUID().uuidString)")
            try complete.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            var configuration = LoopbackServer.Configuration()
            configuration.limits.bodyBytes = count
            try await CurlScene.run(server: configuration) {
                .text("\($0.body == complete)")
            } _: { scene in
                let response = try await scene.session.send(scene.request("/", "PUT", body: .file(file)))
                #expect(response.body.data == Data("true".utf8))
                #expect(response.metrics?.bytesSent == Int64(count))
            }
        }

        @Test(
            arguments: [
                (["abc"], 4), ([], 1), (["abc"], 2), (["abc", "defg"], 5),
            ] as [([String], Int64)])
        func `a source of another length than announced is an error`(
            texts: [String], length: Int64
        ) async throws {
            try await CurlScene.run { _ in
                .text("x")
            } _: { scene in
                let request = try scene.request("/", "POST", body: Self.stream(texts, length: length))
                let error = await #expect(throws: ServiceError.self) { try await scene.session.send(request) }
                #expect(error?.code == .encoding)
                #expect(scene.server.statistics.requests == 0)
                #expect(try await scene.session.send(scene.request()).head.status == 200)
            }
        }

        struct Broken: Error {}

        @Test(arguments: [nil, 10] as [Int64?], [0, 1, 3])
        func `an error of the source is the call's error`(length: Int64?, parts: Int) async throws {
            try await CurlScene.run { _ in
                .text("x")
            } _: { scene in
                let body = RequestBody.stream(length: length) {
                    AsyncThrowingStream<Data, any Error> { source in
                        for _ in 0..<parts { source.yield(Data("x".utf8)) }
                        source.finish(throwing: Broken())
                    }
                }
                let error = await #expect(throws: ServiceError.self) {
                    try await scene.session.send(scene.request("/", "POST", body: body))
                }
                #expect(error?.code == .encoding && error?.underlying is Broken)
                #expect(scene.server.statistics.requests == 0)
            }
        }

        @Test func `an unreadable file is an error before the request is sent`() async throws {
            try await CurlScene.run { _ in
                .text("x")
            } _: { scene in
                for path in ["/nowhere/at/all", "/tmp", "/dev/null"] {
                    let error = await #expect(throws: ServiceError.self) {
                        try await scene.session.send(
                            scene.request("/", "POST", body: .file(URL(filePath: path))))
                    }
                    #expect(error?.code == .encoding)
                }
                #expect(scene.server.connectionCount == 0)
            }
        }

        /// After a refusal the rest of the request body is irrelevant. Other responses may begin a dialog.
        @Test(arguments: [
            ("HTTP/1.1 413 X\r\nContent-Length: 2\r\n\r\nno", "no"),
            ("HTTP/1.1 413 X\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno", "no"),
            ("HTTP/1.1 403 X\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n", "no"),
            ("HTTP/1.1 303 See\r\nLocation: /x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno", "no"),
            ("HTTP/1.1 304 X\r\nContent-Length: 2\r\n\r\n", ""),
            ("HTTP/1.1 303 See\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", ""),
        ])
        func `a refusal before the first byte of the body is the response`(head: String, text: String)
            async throws
        {
            let peer = try RawPeer(.respondsEarly(head))
            let session = CurlSession(.direct)
            let (ends, end) = AsyncStream<Void>.makeStream()
            let body = RequestBody.stream {
                let guest = Guest(end)
                return AsyncStream<Data> {
                    await waitUntilCancelled()
                    return withExtendedLifetime(guest) { nil }
                }
            }
            for delivery in [RequestOptions.Delivery.buffered, .streamed] {
                let request = try CurlScene.request("http://127.0.0.1:\(peer.port)/", "POST", body: body) {
                    $0.deadline = .after(.seconds(5 * TestEnvironment.patience))
                    $0.redirects = .manual
                    $0.delivery = delivery
                }
                let response = try await session.send(request)
                #expect(try await response.body.collect() == Data(text.utf8))
                for await _ in ends { break }
            }
        }

        /// The connection is closed after its second request has arrived, so the server may have executed that request.
        @Test(arguments: [
            ("GET", RequestBody.none, 2), ("PUT", .data(Data("x".utf8)), 2), ("DELETE", .none, 2), ("PUT", .none, 2),
            ("POST", .data(Data("x".utf8)), 1), ("POST", .data(Data()), 1), ("PATCH", .data(Data("x".utf8)), 1),
            ("POST", stream(["x"]), 1), ("POST", stream([]), 1), ("POST", stream([], length: 0), 1),
            ("POST", stream(["x"], length: 1), 1), ("X", .data(Data()), 1),
        ])
        func `only an idempotent request is repeated after a dead connection`(
            method: String, body: RequestBody, times: Int
        ) async throws {
            let seen = Locked(0)
            try await CurlScene.run { request in
                guard request.path == "/probe" else { return .text("x") }
                seen.withLock { $0 += 1 }
                return request.requestNumber > 1 ? .closeWithoutReply : .text("y")
            } _: { scene in
                _ = try await scene.session.send(scene.request())
                let result = await Task {
                    try await scene.session.send(try scene.request("/probe", method, body: body)).body.data
                }.result
                #expect(seen.withLock { $0 } == times)
                switch result {
                case .success(let data): #expect(data == Data("y".utf8))
                case .failure(let error): #expect(times == 1 && (error as? ServiceError)?.code == .connectionLost)
                }
            }
        }

        /// libcurl treats a request as unsent until it reads a byte of the body, even if the header section was sent.
        @Test(arguments: ["POST", "PATCH"])
        func `a request with a late body is not repeated on another connection`(method: String) async throws {
            // libcurl before 7.80 does not announce requests, so this request uses a new connection.
            let expected = errand_curl_announces_requests() ? 1 : 2
            var connections: [Int] = []
            // On a busy machine the server may close the connection before the request begins, which then needs a new
            // one.
            while connections.count < 5, connections.last != expected {
                connections.append(try await connectionsAfterLateBody(method))
            }
            #expect(connections.last == expected, "\(connections)")
        }

        /// Sends two requests. The server closes the connection before the second one's body. Returns the number of
        /// connections.
        private func connectionsAfterLateBody(_ method: String) async throws -> Int {
            var limits = LoopbackServer.Configuration()
            // The server closes the connection between the header section and the body.
            limits.limits.idleTimeout = .milliseconds(100)
            // 0 if the server closes the connection even before the first request arrives.
            let connections = Locked(0)
            try await CurlScene.run(server: limits) { _ in
                .text("x")
            } _: { scene in
                let late = RequestBody.stream {
                    AsyncStream<Data> {
                        await waitUntilCancelled()
                        return nil
                    }
                }
                guard (try? await scene.session.send(scene.request())) != nil else { return }
                let error = await #expect(throws: ServiceError.self) {
                    try await scene.session.send(
                        scene.request("/", method, body: late) {
                            $0.deadline = .after(.seconds(1) * TestEnvironment.patience)
                        })
                }
                // libcurl 7 does not check the connection while it waits for the body.
                #expect([.connectionLost, .timeout].contains(error?.code), "\(error.map { "\($0)" } ?? "")")
                connections.withLock { $0 = scene.server.connectionCount }
            }
            return connections.withLock { $0 }
        }

        /// `POST` and `PATCH` requests without a body use a new connection.
        @Test(arguments: ["POST", "PATCH", "LOCK"])
        func `a non-idempotent request without a body is sent once`(method: String) async throws {
            try await CurlScene.run {
                $0.requestNumber > 1 ? .closeWithoutReply : .text("y")
            } _: { scene in
                _ = try await scene.session.send(scene.request())
                #expect(try await scene.session.send(scene.request("/", method)).head.status == 200)
                #expect(scene.server.statistics.requests == 2)
            }
        }
    }
#endif
