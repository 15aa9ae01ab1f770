import Errand
import ErrandLoopback
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Calls with bodies that are not held in memory: streamed responses, and bodies that a `URLRequest` cannot hold.
@Suite(.timeLimit(.minutes(1))) struct StreamingCallTests {
    struct Call: APIHandler {
        var url = URL(string: "http://api.test/log") ?? URL(filePath: "/")
        var method = "GET"
        var sent: RequestBody?
        var total: Duration?
        var validators: [ResponseValidator] { [.serverError(Refusal.self), .status()] }

        func makeRequest(from input: Void) -> URLRequest {
            var request = URLRequest(url: url)
            request.httpMethod = method
            return request
        }

        func body(for input: Void) -> RequestBody? { sent }

        func options(for input: Void) -> RequestOptions {
            var options = RequestOptions()
            options.totalTimeout = total
            return options
        }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> String {
            String(decoding: data, as: UTF8.self)
        }
    }

    struct Refusal: Error, Decodable, Equatable { let why: String }

    @Test func `a body is streamed after its header section is validated`() async throws {
        let session = ScriptedSession([.chunks([Data("a\nb".utf8), Data("c\n".utf8)])])
        let loaded = try await APILoader(Call(), session: session).stream()
        #expect(loaded.head.status == 200 && loaded.trail.attempts.map(\.status) == [200])
        var lines: [String] = []
        for try await line in loaded.value.lines { lines.append(line) }
        #expect(lines == ["a", "bc"])
        #expect(session.recorded.map(\.options.delivery) == [.streamed])
    }

    @Test(
        arguments: [
            (CannedReply.json(#"{"why":"sold out"}"#, status: 409), ServiceError.Code.status, Refusal(why: "sold out")),
            (.text("", status: 500), .status, nil), (.status(304), .status, nil),
            (.data(Data(repeating: 0x61, count: 1 << 21), status: 400), .bodyTooLarge, nil),
            (.failure(ServiceError(.connection, "gone")), .connection, nil),
        ] as [(CannedReply, ServiceError.Code, Refusal?)])
    func `a refusal is an error that includes the server's error`(
        reply: CannedReply, code: ServiceError.Code, refusal: Refusal?
    ) async throws {
        let session = ScriptedSession([reply])
        let error = await #expect(throws: ServiceError.self) {
            _ = try await APILoader(Call(), session: session).stream()
        }
        #expect(error?.code == code && error?.serverError as? Refusal == refusal && error?.request != nil)
    }

    @Test func `a response that the validators accept keeps its body`() async throws {
        struct Lenient: APIHandler {
            var validators: [ResponseValidator] { [] }
            func makeRequest(from input: Void) throws -> URLRequest { Call().makeRequest(from: ()) }
            func parseResponse(data: Data, response: HTTPURLResponse) throws -> Int { 0 }
        }
        let session = ScriptedSession([.text("what is wrong", status: 404)])
        let loaded = try await APILoader(Lenient(), session: session).stream()
        #expect(try await loaded.value.collect() == Data("what is wrong".utf8) && loaded.head.status == 404)
    }

    @Test func `the total timeout and cancellation end the wait for headers`() async throws {
        let clock = ManualClock()
        let session = ScriptedSession([.stall, .stall])
        let late = Task { try await APILoader(Call(total: .seconds(5)), session: session, time: clock).stream() }
        try await Soak.wait { session.recorded.count == 1 }
        clock.advance(by: .seconds(5))
        #expect(await Self.code(late) == .timeout)
        let cancelled = Task { try await APILoader(Call(), session: session, time: clock).stream() }
        try await Soak.wait { session.recorded.count == 2 }
        cancelled.cancel()
        #expect(await Self.code(cancelled) == .cancelled)
    }

    private static func code(_ call: Task<Loaded<ResponseBody>, any Error>) async -> ServiceError.Code? {
        do {
            _ = try await call.value
            return nil
        } catch {
            return (error as? ServiceError)?.code
        }
    }

    @Test func `a handler sends a file or a stream, also when type-erased`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.file(Data("from a file".utf8), name: "a")
        let stream = RequestBody.stream { AsyncParts([Data("from ".utf8), Data("a stream".utf8)]) }
        try await LoopbackServer.withServer { request in
            .text(String(decoding: request.body, as: UTF8.self))
        } _: { server in
            for (body, text) in [(RequestBody.file(file), "from a file"), (stream, "from a stream")] {
                let call = Call(url: server.url, method: "PUT", sent: body)
                let values = [try await APILoader(call).load(), try await APILoader(AnyAPIHandler(call)).load()]
                #expect(values == [text, text])
            }
        }
    }
}
