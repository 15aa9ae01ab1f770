#if os(Linux)
    import Errand
    import ErrandLoopback
    import Testing

    @Suite(.timeLimit(.minutes(1))) struct CurlHeaderIntegrationTests {
        /// Unusual but valid values. The server must receive the value of the request.
        @Test(arguments: [
            "x", "a  b", "a;b", ";", ";;", ",", ":", "a: b", "\"quoted\"", "(comment)", "ünïcödé", "日本", "%0d%0a",
            "\\r\\n",
            "a\tb", "=", "@/etc/passwd", "-", "0", String(repeating: "long ", count: 2_000) + "end",
        ])
        func `a header value arrives unchanged`(value: String) async throws {
            try await CurlScene.run { request in
                .text(request.all("X-Odd").joined(separator: "|"))
            } _: { scene in
                var request = try scene.request()
                request.head.setValue(value, forHTTPHeaderField: "X-Odd")
                #expect(try await scene.session.send(request).body.data == Data(value.utf8))
            }
        }

        /// libcurl interprets a name without a value as an instruction to omit the header.
        @Test(arguments: ["", " ", "\t", "  \t "])
        func `an empty or blank value is sent as an empty header`(value: String) async throws {
            let names = ["X-Empty", "Accept", "User-Agent", "Accept-Encoding", "Cookie", "Content-Type"]
            try await CurlScene.run { request in
                .text(names.map { "\($0)=\(request.all($0).joined(separator: "|"))#\(request.all($0).count)" }.joined())
            } _: { scene in
                for body in [RequestBody.none, .data(Data("x".utf8))] {
                    var request = try scene.request("/", body == .none ? "GET" : "POST", body: body)
                    for name in names { request.head.setValue(value, forHTTPHeaderField: name) }
                    let received = try await scene.session.send(request).body.data.map {
                        String(decoding: $0, as: UTF8.self)
                    }
                    #expect(received == names.map { "\($0)=#1" }.joined())
                }
            }
        }

        @Test func `a request has its own headers and few of libcurl's`() async throws {
            try await CurlScene.run { request in
                .text(request.headers.map { "\($0.name): \($0.value)" }.sorted().joined(separator: "\n"))
            } _: { scene in
                var request = try scene.request()
                request.head.setValue("b", forHTTPHeaderField: "a")
                request.head.setValue("close, x", forHTTPHeaderField: "Connection")
                let lines = try await scene.session.send(request).body.data.map { String(decoding: $0, as: UTF8.self) }
                #expect(
                    lines == """
                        A: b
                        Accept-Encoding: \(ContentCoding.accepted)
                        Accept: */*
                        Connection: close, x
                        Host: 127.0.0.1:\(scene.server.port)
                        """)
            }
        }

        @Test func `response headers keep their order, duplicates and empty values`() async throws {
            let names = ["X-B", "X-A", "x-b", "Set-Cookie", "X-A", "Set-Cookie", "X-Empty"]
            try await CurlScene.run { _ in
                zip(names, ["1", "2", "3", "a=1, b", "2", "a=2", ""]).reduce(.text("x")) { $0.header($1.0, $1.1) }
            } _: { scene in
                let response = try await scene.session.send(scene.request())
                let headers = response.head.headers.filter { names.contains($0.name) }
                #expect(headers.map(\.name) == names)
                #expect(headers.map(\.value) == ["1", "2", "3", "a=1, b", "2", "a=2", ""])
            }
        }

        @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304), ("HEAD", 404), ("HEAD", 304)])
        func `a connection is reusable after a response without a body`(method: String, status: Int) async throws {
            let odd = LoopbackReply.raw("HTTP/1.1 \(status) \r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\n", then: nil)
            try await CurlScene.run {
                $0.path == "/odd" ? odd : .text("next")
            } _: { scene in
                for delivery in [RequestOptions.Delivery.buffered, .streamed] {
                    let response = try await scene.session.send(
                        scene.request("/odd", method) { $0.delivery = delivery })
                    #expect(response.head.status == status && response.head.headers["ETag"] == "\"a\"")
                    #expect(try await response.body.collect().isEmpty)
                    let next = try await scene.session.send(scene.request())
                    #expect(next.body.data == Data("next".utf8))
                }
                #expect(scene.server.connectionCount == 1)
            }
        }

        /// A caller's Host header replaces the URL's, and reaches the server once.
        @Test(arguments: ["Host", "host"], ["GET", "POST"])
        func `a valid Host header is sent once`(name: String, method: String) async throws {
            try await CurlScene.run { request in
                .text(request.all("Host").joined(separator: "|"))
            } _: { scene in
                let plain = try scene.request("/", method, body: method == "GET" ? .none : .data(Data("x".utf8)))
                for host in ["shop.test", "shop.test:81", "[::1]:8080"] {
                    var request = plain
                    request.head.setValue(host, forHTTPHeaderField: name)
                    #expect(try await scene.session.send(request).body.data == Data(host.utf8))
                }
                let own = Data("127.0.0.1:\(scene.server.port)".utf8)
                #expect(try await scene.session.send(plain).body.data == own)
                #expect(scene.server.connectionCount == 1)
            }
        }

        /// A body with a transfer coding other than chunked ends when the connection is closed (RFC 9112, section 6.3).
        @Test(
            arguments: [
                ("Transfer-Encoding: identity\r\n\r\nabc", "abc"), ("Transfer-Encoding: IDENTITY\r\n\r\n", ""),
                ("Transfer-Encoding: identity\r\n\r\n1\r\na\r\n0\r\n\r\n", "1\r\na\r\n0\r\n\r\n"),
                ("Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nabc", nil),
                ("Content-Length: 3\r\nTransfer-Encoding: identity\r\n\r\nabc", nil),
                ("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", nil),
            ] as [(String, String?)], [RequestOptions.Delivery.buffered, .streamed])
        func `a body with the identity coding ends with the connection`(
            row: (String, String?), delivery: RequestOptions.Delivery
        )
            async throws
        {
            let reply = LoopbackReply.raw("HTTP/1.1 200 OK\r\n\(row.0)", then: .close)
            try await CurlScene.run {
                $0.path == "/odd" ? reply : .text("next")
            } _: { scene in
                let request = try scene.request("/odd") { $0.delivery = delivery }
                if let body = row.1 {
                    #expect(try await scene.session.send(request).body.collect() == Data(body.utf8))
                } else {
                    let error = await #expect(throws: ServiceError.self) {
                        try await scene.session.send(request).body.collect()
                    }
                    #expect(error?.code == .badResponse)
                }
                #expect(try await scene.session.send(scene.request()).body.data == Data("next".utf8))
            }
        }

        @Test func `interim responses are skipped`() async throws {
            let reply = LoopbackReply.text("x", status: 201).interim(103, [LoopbackHeader("Link", "</a>")]).interim(102)
            try await CurlScene.run { _ in
                reply
            } _: { scene in
                for delivery in [RequestOptions.Delivery.buffered, .streamed] {
                    let response = try await scene.session.send(scene.request { $0.delivery = delivery })
                    #expect(response.head.status == 201 && response.head.headers["Link"] == nil)
                    #expect(try await response.body.collect() == Data("x".utf8))
                }
            }
        }

        @Test func `metrics are plausible`() async throws {
            try await CurlScene.run(.connections(1)) {
                $0.path == "/slow" ? slow : .text("twelve bytes")
            } _: { scene in
                let first = try await scene.session.send(scene.request("/", "POST", body: .data(Data("body".utf8))))
                let metrics = try #require(first.metrics)
                #expect(metrics.bytesSent == 4 && metrics.bytesReceived == 12 && metrics.protocolName == "http/1.1")
                #expect(metrics.isConnectionReused == false && metrics.remoteAddress == "127.0.0.1")
                let moments = [metrics.nameResolved, metrics.connected, metrics.firstByte, metrics.total].compactMap {
                    $0
                }
                #expect(moments.count == 4 && moments == moments.sorted() && metrics.secured == nil)
                let slow = try await scene.session.send(scene.request("/slow"))
                let firstByte = try #require(slow.metrics?.firstByte)
                #expect(firstByte >= .milliseconds(95) && firstByte < .seconds(30))
                #expect(slow.metrics?.isConnectionReused == true)
                let requests = try [scene.request("/slow"), scene.request()]
                let tasks = requests.map { request in Task.immediate { try await scene.session.send(request) } }
                for task in tasks { _ = try await task.value }
                let waited = try await tasks[1].value.metrics
                #expect(try #require(waited?.queued) >= .milliseconds(50))
                #expect(try #require(waited?.total) < .milliseconds(95) * 10)
            }
        }

        private var slow: LoopbackReply {
            .raw(
                [.pause(.milliseconds(100)), .bytes(Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))],
                then: nil)
        }
    }
#endif
