#if os(Linux)
    import Errand
    import ErrandLoopback
    import ErrandTesting
    import Testing

    /// Lists of content codings (RFC 9110, section 8.4), over the network.
    @Suite(.timeLimit(.minutes(1))) struct CurlCodingIntegrationTests {
        private static let greeting = Data(#"{"text":"hello"}"#.utf8)

        private static func reply(_ body: Data, _ codings: [String]) -> LoopbackReply {
            codings.reduce(.data(body).header("Content-Type", "application/json")) { $0.header("Content-Encoding", $1) }
        }

        @Test(arguments: CodingChain.all, [RequestOptions.Delivery.buffered, .streamed])
        func `chained codings are decoded`(chain: CodingChain, delivery: RequestOptions.Delivery) async throws {
            try await CurlScene.run { request in
                let reply = Self.reply(chain.encode(Self.greeting), chain.lines)
                return request.path == "/slow" ? reply.slow(bytesPerStep: 7, interval: .milliseconds(1)) : reply
            } _: { scene in
                for path in ["/", "/slow"] {
                    let response = try await scene.session.send(scene.request(path) { $0.delivery = delivery })
                    #expect(try await response.body.collect() == Self.greeting)
                    #expect(response.head.headers.all("Content-Encoding") == chain.lines)
                }
            }
        }

        @Test(arguments: CodingChain.all, [RequestOptions.Delivery.buffered, .streamed])
        func `a chain that is truncated at any stage is an error`(chain: CodingChain, delivery: RequestOptions.Delivery)
            async throws
        {
            for stage in chain.stages.indices {
                let body = chain.encode(Self.greeting, truncating: stage)
                try await CurlScene.run { _ in
                    Self.reply(body, chain.lines)
                } _: { scene in
                    let error = await #expect(throws: ServiceError.self) {
                        try await scene.session.send(scene.request { $0.delivery = delivery }).body.collect()
                    }
                    #expect(error?.code == .badResponse)
                }
            }
        }

        @Test(
            arguments: ["x-secret", "compress", "gzip, x-secret", "x-secret, gzip"],
            [RequestOptions.Delivery.buffered, .streamed])
        func `an unknown coding is delivered undecoded`(coding: String, delivery: RequestOptions.Delivery) async throws
        {
            try await CurlScene.run { _ in
                Self.reply(Self.greeting, [coding])
            } _: { scene in
                let response = try await scene.session.send(scene.request { $0.delivery = delivery })
                #expect(response.head.headers["Content-Encoding"] == coding)
                #expect(response.head.headers["Content-Length"] == "\(Self.greeting.count)")
                #expect(try await response.body.collect() == Self.greeting)
            }
        }

        @Test(arguments: ["gzip, x-secret", "x-secret"])
        func `a loader and a line reader name an unknown coding`(coding: String) async throws {
            try await CurlScene.run { _ in
                Self.reply(Self.greeting, [coding])
            } _: { scene in
                let environment = CustomEnvironment<APIPath>(name: "test", baseURL: BaseURL(scene.server.url))
                let endpoint = Endpoint<Greeting>(path: "a")
                let error = await #expect(throws: ServiceError.self) {
                    try await APILoader(endpoint, session: scene.session).load(environment)
                }
                #expect(error?.code == .decoding && error?.reason.contains("‹x-secret›") == true)
                for delivery in [RequestOptions.Delivery.buffered, .streamed] {
                    let response = try await scene.session.send(scene.request { $0.delivery = delivery })
                    let refusal = await #expect(throws: ServiceError.self) {
                        for try await _ in response.body.lines {}
                    }
                    #expect(refusal?.code == .decoding && refusal?.reason.contains("x-secret") == true)
                }
            }
        }

        @Test func `a caller's Accept-Encoding is sent and the response decoded`() async throws {
            let chain = try #require(CodingChain.all.first)
            try await CurlScene.run { request in
                request["Accept-Encoding"] == "x-secret, gzip"
                    ? Self.reply(chain.encode(Self.greeting), chain.lines) : .status(400)
            } _: { scene in
                var request = try scene.request()
                request.head.setValue("x-secret, gzip", forHTTPHeaderField: "Accept-Encoding")
                #expect(try await scene.session.send(request).body.collect() == Self.greeting)
            }
        }
    }
#endif
