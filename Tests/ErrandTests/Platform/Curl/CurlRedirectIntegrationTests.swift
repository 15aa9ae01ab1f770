#if os(Linux)
    import ErrandSupport
    import Errand
    import ErrandLoopback
    import Testing

    /// Redirects over a session that keeps duplicate headers apart.
    @Suite(.timeLimit(.minutes(1))) struct CurlRedirectIntegrationTests {
        struct Row: Sendable {
            let locations: [String]
            let end: String
            /// The error with libcurl 8.17.0 and later, if libcurl refuses the response itself.
            var refusal: String?
        }

        @Test(
            arguments: [
                Row(locations: ["/a, b"], end: "200 GET /a,%20b"), Row(locations: ["/x, /x"], end: "200 GET /x,%20/x"),
                Row(locations: ["/x", "/x"], end: "200 GET /x"),
                Row(
                    locations: ["/x", "/y"], end: "expected one Location header, found several",
                    refusal: "bad-response: Multiple Location headers (libcurl 8)"),
                Row(locations: [""], end: "302 moved"), Row(locations: [" \t "], end: "302 moved"),
                Row(locations: ["", ""], end: "302 moved"), Row(locations: [], end: "302 moved"),
            ], [RequestOptions.Delivery.buffered, .streamed])
        func `the Location header determines the outcome of a redirect`(row: Row, delivery: RequestOptions.Delivery)
            async throws
        {
            try await CurlScene.run { request in
                let moved = row.locations.reduce(LoopbackReply.text("moved", status: 302)) { $0.header("Location", $1) }
                return request.target == "/start" ? moved : .text("\(request.method) \(request.target)")
            } _: { scene in
                let request = try scene.request("/start") { $0.delivery = delivery }
                let end: String
                do {
                    let response = try await scene.session.send(request)
                    let body = String(decoding: try await response.body.collect(), as: UTF8.self)
                    end = "\(response.head.status) \(body)"
                } catch let error as ServiceError {
                    end = error.code == .redirect ? error.reason : "\(error)"
                }
                #expect(end == row.end || end == row.refusal, "\(end)")
            }
        }

        @Test func `a resource that redirects to itself is followed until it is ready`() async throws {
            let asked = Locked(0)
            try await CurlScene.run { _ in
                let count = asked.withLock { count in
                    count += 1
                    return count
                }
                return count < 5 ? .status(302).header("Location", "/job") : .text("done")
            } _: { scene in
                let response = try await scene.session.send(scene.request("/job"))
                #expect(response.body.data == Data("done".utf8))
                #expect(scene.server.statistics.requests == 5)
            }
        }
    }
#endif
