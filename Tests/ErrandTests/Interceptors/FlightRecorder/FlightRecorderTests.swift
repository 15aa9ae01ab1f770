import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct FlightRecorderTests {
    private func request(_ path: String = "/", body: RequestBody = .none) throws -> APIRequest {
        let url = try #require(URL(string: "https://a.example\(path)"))
        var head = URLRequest(url: url)
        head.httpMethod = "POST"
        var request = APIRequest(head: head, body: body)
        request.options.time = InstantClock()
        return request
    }

    @Test func `an exchange is recorded with its times`() async throws {
        let recorder = FlightRecorder()
        let script = ScriptedSession([.text("hello").header("X-A", "1").delayed(by: .milliseconds(20))])
        let sent = try request("/a?b=c", body: .data(Data("body".utf8)))
        _ = try await script.intercepted(by: recorder).send(sent)
        let entry = try #require(recorder.archive.entries.first)
        #expect(entry.request.method == "POST" && entry.request.url == "https://a.example/a?b=c")
        #expect(entry.request.body?.bytes == Data("body".utf8))
        #expect(entry.response?.status == 200 && entry.response?.headers["X-A"] == "1")
        #expect(entry.response?.body.bytes == Data("hello".utf8) && entry.failure == nil)
        #expect(entry.wait == .milliseconds(20) && entry.duration == .milliseconds(20))
    }

    @Test func `an error has the last calls`() async throws {
        let recorder = FlightRecorder()
        let script = ScriptedSession([.json("[1]"), .json(#"{"access_token":"t0ken-value"}"#, status: 500)])
        let loader = APILoader(EventAPI(), session: script.intercepted(by: recorder), time: InstantClock())
        _ = try? await loader.load()
        let error = await #expect(throws: ServiceError.self) { try await loader.load() }
        let archive = try #require(error?.har)
        #expect(archive.entries.map { $0.response?.status } == [200, 500])
        #expect(!String(decoding: archive.data, as: UTF8.self).contains("t0ken-value"))
        // A later call does not change it.
        _ = try? await loader.load()
        #expect(error?.har?.entries.count == 2 && recorder.archive.entries.count == 3)
    }

    @Test func `an error without a recorder has no archive`() async {
        let loader = APILoader(EventAPI(), session: ScriptedSession([.status(500)]))
        let error = await #expect(throws: ServiceError.self) { try await loader.load() }
        #expect(error != nil && error?.har == nil)
    }

    @Test func `a failure and a cancelled request are recorded`() async throws {
        let recorder = FlightRecorder()
        let script = ScriptedSession([.failure(URLError(.timedOut)), .stall])
        let session = script.intercepted(by: recorder)
        await #expect(throws: (any Error).self) { try await session.send(request()) }
        let clock = ManualClock()
        let sent = try request()
        let task = Task {
            var sent = sent
            sent.options.time = clock
            _ = try await session.send(sent)
        }
        try await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        let failures = recorder.archive.entries.map { $0.failure?.prefix { $0 != ":" } ?? "" }
        #expect(failures == ["timeout", "cancelled"] && recorder.archive.entries.allSatisfy { $0.response == nil })
    }

    @Test func `a streamed body is recorded while it is read`() async throws {
        let recorder = FlightRecorder()
        let reply = CannedReply.chunks([Data("ab".utf8), Data("cde".utf8)]).pausing(.milliseconds(5))
        let session = ScriptedSession([reply, reply, reply.truncatingBody(after: 3)]).intercepted(by: recorder)
        var sent = try request()
        sent.options.delivery = .streamed
        #expect(try await session.send(sent).body.collect() == Data("abcde".utf8))
        for try await _ in try await session.send(sent).body { break }
        await #expect(throws: ServiceError.self) { try await session.send(sent).body.collect() }
        let entries = recorder.archive.entries
        #expect(entries.map { $0.response?.body.bytes } == ["abcde", "ab", "abc"].map { Data($0.utf8) })
        #expect(entries[0].response?.chunks.map(\.size) == [2, 3])
        #expect(entries[0].response?.chunks.map(\.moment) == [.zero, .milliseconds(5)])
        #expect(entries.map { $0.failure?.prefix { $0 != ":" } ?? "" } == ["", "cancelled", "connection-lost"])
    }

    @Test func `the ring is bounded in calls and bytes`() async throws {
        let few = FlightRecorder(entryLimit: 3)
        let small = FlightRecorder(byteLimit: 3_000, bodyLimit: 1_000)
        let large = Data(repeating: UInt8(ascii: "x"), count: 5_000)
        let session = ScriptedSession { _ in .data(large) }.intercepted(by: few, small)
        for index in 1...10 { _ = try await session.send(request("/\(index)", body: .data(large))) }
        #expect(few.archive.entries.map(\.request.url) == (8...10).map { "https://a.example/\($0)" })
        let entries = small.archive.entries
        #expect(entries.map(\.request.url) == ["https://a.example/10"])
        #expect(entries[0].response?.body.bytes.count == 1_000 && entries[0].response?.body.size == 5_000)
        #expect(entries[0].request.body?.bytes.count == 1_000 && entries[0].request.body?.size == 5_000)
    }
}
