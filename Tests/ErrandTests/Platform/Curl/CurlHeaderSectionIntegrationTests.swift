#if os(Linux)
    import Errand
    import ErrandLoopback
    import Testing

    /// Header sections of which libcurl would ignore a part, received in pieces.
    @Suite(.timeLimit(.minutes(1))) struct CurlHeaderSectionIntegrationTests {
        /// Sends the parts one by one, and then a complete header section.
        private func reply(_ parts: [String]) -> LoopbackReply {
            let steps = (parts + ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"]).flatMap {
                [LoopbackReply.RawStep.pause(.milliseconds(50)), .bytes(Data($0.utf8))]
            }
            return .raw(steps, then: .close)
        }

        /// Returns the error code of a request, or `nil` if it succeeds. Repeats a request that does not fail as
        /// expected, because libcurl does not deliver bytes for inspection that it reads immediately after the request.
        private func failure(of request: APIRequest, in scene: CurlScene) async -> ServiceError.Code? {
            var request = request
            request.options.idleTimeout = .seconds(5)
            var code: ServiceError.Code?
            for _ in 0..<3 where code != .badResponse {
                do {
                    _ = try await scene.session.send(request).body.collect()
                } catch {
                    code = (error as? ServiceError)?.code
                }
            }
            return code
        }

        @Test(arguments: [
            ["HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"], ["HTTP/1. 1 103 Early Hints\r\n\r\n"],
            ["HTTP/1.1 103 Early Hints\r\nX\r: 1\r\n\r\n"],
            ["HTTP/1.1 200 OK\r\n\0X: 1\r\nContent-Length: 9\r\n", "\r\n"],
            ["HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\n\0", "\r\n"],
            // A part that is longer than a first inspection, which cannot tell whether the first line of the part is
            // empty.
            [
                "HTTP/1.1 103 Early Hints\r\nA: 1", "\r\nB: \(String(repeating: "a", count: 5_000))\r\n",
                "\r\n\0X: b\r\n",
            ],
            // Not a TLS record, although it begins with the type of an alert.
            ["HTTP/1.1 200 OK\r\nA: 1", "\u{15}\r\nB: 2\r\n", "C: 3\r\n\0X: 1\r\nContent-Length: 9\r\n", "\r\n"],
        ]) func `header sections that libcurl would ignore are errors`(parts: [String]) async throws {
            try await CurlScene.run { _ in
                reply(parts)
            } _: { scene in
                for delivery in [RequestOptions.Delivery.buffered, .streamed] {
                    let request = try scene.request { $0.delivery = delivery }
                    let error = await #expect(throws: ServiceError.self) { _ = try await scene.session.send(request) }
                    #expect(error?.code == .badResponse)
                }
            }
        }

        /// libcurl would drop such a line, and the bytes that were read with it. A first inspection covers 4,096 bytes.
        @Test(
            arguments: ["", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"], [40, 4_094, 4_095, 4_096, 4_097, 20_000])
        func `a line that begins with NUL is refused at any position`(interim: String, position: Int)
            async throws
        {
            let start = interim + "HTTP/1.1 200 OK\r\nX-Long: "
            let pad = String(repeating: "a", count: max(0, position - start.utf8.count - 2))
            try await CurlScene.run {
                let line = $0.path == "/odd" ? "\0X-A: b" : "X-A: b"
                let bytes = Data("\(start)\(pad)\r\n\(line)\r\nContent-Length: 1\r\n\r\nx".utf8)
                return .raw([.pause(.milliseconds(50)), .bytes(bytes)], then: nil)
            } _: { scene in
                let response = try await scene.session.send(scene.request())
                #expect(response.head.headers["X-A"] == "b" && response.body.data == Data("x".utf8))
                #expect(try await failure(of: scene.request("/odd"), in: scene) == .badResponse)
            }
        }

        /// Each response arrives in three pieces. The middle piece has one byte or two, so every line ending is split
        /// in every way. Serialized, because each case opens 32 descriptors, and some environments have few.
        @Test(.serialized, arguments: [1, 2], ["\n\0\n\0\r\n\r\n\0", "\0\n\0"])
        func `a response in pieces is parsed like a complete one`(middle: Int, body: String)
            async throws
        {
            let interim = "HTTP/1.1 103 Early\r\nA: b\r\n\r\n"
            let rest = "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            let good = Array("\(interim)HTTP/1.1 200 OK\r\nC: d\r\n\(rest)".utf8)
            let bad = Array("\(interim)HTTP/1.1 200 OK\r\nC: d\r\n\0E: f\r\n\(rest)".utf8)
            try await CurlScene.run(.connections(16)) {
                let bytes = $0.path == "/bad" ? bad : good
                guard let cut = Int($0.query ?? "") else { return .text("", status: 400) }
                let end = min(cut + middle, bytes.count)
                let pieces = [bytes[..<cut], bytes[cut..<end], bytes[end...]]
                return .raw(pieces.flatMap { [.pause(.milliseconds(20)), .bytes(Data($0))] }, then: nil)
            } _: { scene in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for cut in 1..<good.count {
                        let request = try scene.request("/good?\(cut)")
                        group.addTask {
                            let response = try await scene.session.send(request)
                            #expect(response.body.data == Data(body.utf8), "cut at \(cut)")
                        }
                    }
                    // libcurl delivers a line that is the first of a read, and the line is refused for its invalid
                    // name.
                    for cut in 1..<bad.count {
                        let request = try scene.request("/bad?\(cut)")
                        group.addTask {
                            #expect(await failure(of: request, in: scene) == .badResponse, "cut at \(cut)")
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }
#endif
