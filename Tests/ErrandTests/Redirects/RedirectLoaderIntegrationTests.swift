import Errand
import ErrandLoopback
import TestSupport
import Testing

/// A loader with real servers, end to end.
@Suite(.timeLimit(.minutes(1))) struct RedirectLoaderIntegrationTests {
    /// Loads a greeting with an API key from the given URL.
    private struct Call: APIHandler {
        let url: URL
        var configure: @Sendable (inout RequestOptions) -> Void = { _ in }

        func makeRequest(from name: String) throws -> URLRequest {
            var request = URLRequest(url: url)
            request.setValue("Bearer s3cr3t", forHTTPHeaderField: "Authorization")
            return request
        }

        func options(for name: String) -> RequestOptions {
            var options = RequestOptions()
            configure(&options)
            return options
        }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> Greeting {
            try defaultParseResponse(data: data, response: response)
        }
    }

    private let clock = ContinuousClock()

    /// Returns a redirect that is sent after a pause.
    private static func slow(_ location: String, _ pause: Duration) -> LoopbackReply {
        let head = "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
        return .raw([.pause(pause), .bytes(Data(head.utf8))], then: nil)
    }

    @Test func `redirects are followed, without the key to another origin`() async throws {
        try await LoopbackServer.withServer { request in
            .json(#"{"text":"\#(request["Authorization"] ?? "no key")"}"#)
        } _: { other in
            let elsewhere = other.url.appending(path: "hello")
            try await LoopbackServer.withServer { request in
                .status(307).header("Location", request.path == "/away" ? elsewhere.absoluteString : "/away")
            } _: { api in
                let loaded = try await APILoader(Call(url: api.url)).response("eva")
                #expect(loaded.value == Greeting(text: "no key") && loaded.head.url == elsewhere)
                #expect(api.statistics.requests == 2)
            }
        }
    }

    @Test func `a rejected redirect is one error with its context`() async throws {
        try await withServer { _ in
            .text("moved", status: 302).header("Location", "ftp://h/?token=s3cr3t")
        } _: { server, session in
            let loader = APILoader(Call(url: server.url), session: session)
            let error = await #expect(throws: ServiceError.self) { try await loader.load("eva") }
            #expect(error?.code == .redirect && error?.status == 302 && error?.attempts.count == 1)
            #expect(error?.attempts.first?.failure == .redirect && error?.request?.path == server.url.path())
            #expect(error?.localizedDescription == "The server redirected the request.")
            #expect(error.map { !"\($0) \($0.response.map { "\($0)" } ?? "")".contains("s3cr3t") } == true)
        }
    }

    @Test func `the total deadline covers all hops`() async throws {
        try await withServer { request in
            Self.slow("/\((Int(request.path.dropFirst()) ?? 0) + 1)", .milliseconds(100))
        } _: { server, session in
            let call = Call(url: server.url) { options in
                options.totalTimeout = .milliseconds(350)
                options.idleTimeout = .seconds(30)
            }
            var error: ServiceError?
            let elapsed = await clock.measure {
                error = await #expect(throws: ServiceError.self) {
                    try await APILoader(call, session: session).load("eva")
                }
            }
            #expect(error?.code == .timeout)
            #expect(elapsed >= .milliseconds(345))
            #expect(server.statistics.requests <= 4)
        }
    }

    @Test func `the deadline covers all hops, the idle timeout each hop`() async throws {
        try await withServer { request in
            Self.slow("/\((Int(request.path.dropFirst()) ?? 0) + 1)", .milliseconds(100))
        } _: { server, session in
            let short = request(server, "/0") { $0.deadline = .after(.milliseconds(250)) }
            let error = await #expect(throws: ServiceError.self) { try await session.send(short) }
            #expect(error?.reason == "the deadline of the call passed")
            // Twenty hops of 100 ms do not exceed an idle timeout of one second, because each hop is shorter.
            let patient = request(server, "/0") { $0.idleTimeout = .seconds(1) * TestEnvironment.patience }
            var codes: [ServiceError.Code?] = []
            // One success is enough, because a busy machine can itself stall for a second.
            while codes.count < 3, codes.last != .redirect {
                codes.append(await #expect(throws: ServiceError.self) { try await session.send(patient) }?.code)
            }
            #expect(codes.last == .redirect, "\(codes)")
        }
    }

    /// The best of five rounds, because the others also measure other load on the machine.
    @Test func `cancelling ends a call promptly when a hop stalls`() async throws {
        try await withServer { request in
            request.path == "/stall" ? .stall : .status(302).header("Location", "/stall")
        } _: { server, session in
            let loader = APILoader(Call(url: server.url), session: session)
            var best = Duration.seconds(60)
            for round in 1...5 {
                let task = Task { try await loader.load("eva") }
                for await statistics in server.statisticsUpdates where statistics.requests >= 2 * round { break }
                let elapsed = await clock.measure {
                    task.cancel()
                    let error = await #expect(throws: ServiceError.self) { try await task.value }
                    #expect(error?.code == .cancelled)
                }
                best = min(best, elapsed - (await timeToEndIdly()))
            }
            #expect(best < .milliseconds(50) * TestEnvironment.patience)
        }
    }

    @Test func `calls that are cancelled at any moment end`() async throws {
        try await withServer { request in
            request.path == "/5"
                ? .text("x") : Self.slow("/\((Int(request.path.dropFirst()) ?? 0) + 1)", .milliseconds(1))
        } _: { server, session in
            let request = request(server, "/0")
            let seed = UInt64.random(in: .min ... .max)
            let outcome = await Soak.run(TestEnvironment.rounds(200, heavy: 3_000), width: 16, seed: seed) {
                _ = try await session.send(request)
            }
            #expect(outcome.others.isEmpty && outcome.finished > 0 && outcome.cancelled > 0, "seed \(seed)")
        }
    }
}
