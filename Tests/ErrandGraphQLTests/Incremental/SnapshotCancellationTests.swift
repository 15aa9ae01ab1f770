import Errand
import ErrandGraphQL
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SnapshotCancellationTests {
    private typealias Scene = SnapshotScene
    private static let payload = #"{"data":{"person":{"name":"Luke"}},"hasNext":true}"#

    private func silent(after payloads: Int) -> ScriptedSession {
        let body = payloads == 0 ? 0 : Scene.body([Self.payload], isClosed: false).utf8.count
        return ScriptedSession([Scene.reply([Self.payload, Self.payload]).stallingBody(after: body)])
    }

    @Test(arguments: [0, 1]) func `cancellation ends a silent response`(payloads: Int) async throws {
        let clock = ManualClock()
        let snapshots = try Scene.loader(silent(after: payloads), clock).snapshots()
        let task = Task { try await snapshots.all() }
        try await clock.waitForSleepers()
        task.cancel()
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `cancellation ends a request without a response`() async throws {
        let clock = ManualClock()
        let snapshots = try Scene.loader(ScriptedSession([.stall]), clock).snapshots()
        let task = Task { try await snapshots.all() }
        try await clock.waitForSleepers()
        task.cancel()
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `the deadline applies while snapshots are read`() async throws {
        let clock = ManualClock()
        var options = RequestOptions()
        options.totalTimeout = .seconds(2)
        // The body does not end at the deadline itself.
        let body = Data(Scene.body([Self.payload], isClosed: false).utf8)
        let session = StreamSession(parts: SilentParts(first: body, stops: Gate()))
        let snapshots = try Scene.loader(session, clock, options: options).snapshots()
        let first = Gate()
        let task = Task { for try await _ in snapshots { first.open() } }
        await first.wait()
        try await clock.advance(by: .seconds(2), sleeping: 1)
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .timeout)
    }

    @Test func `leaving the loop ends the transfer`() async throws {
        let stops = Gate()
        let body = Data(Scene.body([Self.payload], isClosed: false).utf8)
        let session = StreamSession(parts: SilentParts(first: body, stops: stops))
        for try await snapshot in try Scene.loader(session).snapshots() {
            #expect(!snapshot.isComplete)
            break
        }
        await stops.wait()
    }

    @Test func `a complete response does not wait for the end of its body`() async throws {
        let clock = ManualClock()
        let stops = Gate()
        let body = Data(Scene.body([#"{"data":{"person":{"name":"Luke"}},"hasNext":false}"#]).utf8)
        let session = StreamSession(parts: SilentParts(first: body, stops: stops))
        #expect(try await Scene.loader(session, clock).snapshots().all().map(\.isComplete) == [true])
        try await clock.advance(to: .seconds(1))
        await stops.wait()
    }

    @Test func `the rest of a complete response is read, so that its connection is used again`() async throws {
        let end = Gate()
        let parts = Scene.body([#"{"data":{"person":{"name":"Luke"}},"hasNext":false}"#]).utf8.map { Data([$0]) }
        let reads = Locked(0)
        let body = AsyncParts(parts + [Data("epilogue".utf8)]) {
            let count = reads.withLock { reads in
                reads += 1
                return reads
            }
            if count == parts.count + 2 { end.open() }
        }
        #expect(try await Scene.loader(StreamSession(parts: body), ManualClock()).snapshots().all().count == 1)
        await end.wait()
    }

    /// A body with one chunk that never ends. It opens a gate when its iterator is released.
    private struct SilentParts: AsyncSequence, Sendable {
        final class Probe: Sendable {
            let stops: Gate
            init(_ stops: Gate) { self.stops = stops }
            deinit { stops.open() }
        }

        struct Iterator: AsyncIteratorProtocol {
            let probe: Probe
            var first: Data?

            mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
                if let first = first.take() { return first }
                await waitUntilCancelled()
                return nil
            }

            mutating func next() async throws -> Data? { try await next(isolation: nil) }
        }

        let first: Data
        let stops: Gate

        func makeAsyncIterator() -> Iterator { Iterator(probe: Probe(stops), first: first) }
    }

    private struct StreamSession<Parts: AsyncSequence & Sendable>: APISession where Parts.Element == Data {
        let parts: Parts

        func send(_ request: APIRequest) async throws -> APIResponse {
            let head = ResponseHead(
                status: 200, headers: ["Content-Type": Scene.type], url: try #require(request.url))
            return APIResponse(head: head, body: ResponseBody(stream: parts))
        }
    }
}
