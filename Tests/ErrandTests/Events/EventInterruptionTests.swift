import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Cancellation, restarts, timeouts and the end of a loop.
@Suite(.timeLimit(.minutes(1))) struct EventInterruptionTests {
    /// The step of a source that is interrupted.
    enum Step: CaseIterable, Sendable {
        case connect, read, wait
    }

    private func loader(
        _ session: some APISession, _ clock: some TimeSource, timeout: Duration? = nil
    ) -> APILoader<EventAPI> {
        APILoader(EventAPI(timeout: timeout), session: session, time: clock, random: FixedRandom(fraction: 0))
    }

    /// Returns a session that stays in a step after the event `a`.
    private func session(in step: Step) -> ScriptedSession {
        let event = "id: 1\ndata: a\n\n"
        let stay: [CannedReply] =
            switch step {
            case .connect: [.events(event), .stall]
            case .read: [.open(event)]
            case .wait: [.events(event)]
            }
        return ScriptedSession(stay + [.events("data: b\n\n"), .status(204)])
    }

    /// Returns options with which a source does not wait before it connects again.
    private func options(for step: Step) -> EventOptions {
        var options = EventOptions()
        if step == .connect { options.backoff.base = .zero }
        return options
    }

    /// Reads until the source stays in a step. Returns the task that reads.
    private func reader(
        of source: EventSource<ServerSentEvent>, on clock: ManualClock
    ) async throws -> Task<[String], any Error> {
        let first = Gate()
        let task = Task {
            var data: [String] = []
            for try await event in source {
                data.append(event.data)
                if event.data == "b" { return data }
                first.open()
            }
            return data
        }
        await first.wait()
        try await clock.waitForSleepers()
        return task
    }

    @Test(arguments: Step.allCases) func `cancellation ends each step`(step: Step) async throws {
        let clock = ManualClock()
        let source = loader(session(in: step), clock).events(options: options(for: step))
        let task = try await reader(of: source, on: clock)
        task.cancel()
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .cancelled && error?.underlying is CancellationError)
        #expect(source.trail.events.isEmpty == false)
    }

    @Test(arguments: Step.allCases) func `a restart connects again at once`(step: Step) async throws {
        let clock = ManualClock()
        let session = session(in: step)
        let source = loader(session, clock).events(options: options(for: step))
        let task = try await reader(of: source, on: clock)
        source.restart()
        #expect(try await task.value == ["a", "b"])
        #expect(session.recorded.last?.headers["Last-Event-ID"] == "1" && clock.now == .zero)
        #expect(source.trail.events.contains { $0.message.hasSuffix("restarted") })
    }

    @Test func `events that were received are delivered before a restart`() async throws {
        let script = ScriptedSession([
            .open("id: 1\ndata: a\n\nid: 2\ndata: b\n\n"), .open("data: c\n\n"), .open("data: d\n\n"),
        ])
        let source = loader(script, ManualClock()).events()
        var iterator = source.makeAsyncIterator()
        #expect(try await iterator.next()?.data == "a")
        source.restart()
        #expect(try await iterator.next()?.data == "b")
        #expect(try await iterator.next()?.data == "c")
        #expect(script.recorded.map { $0.headers["Last-Event-ID"] } == [nil, "2"])
        // A restart before the iteration has no effect.
        source.restart()
        var other = source.makeAsyncIterator()
        #expect(try await other.next()?.data == "d")
    }

    /// A clock that counts the sleeps that have ended.
    private struct CountingClock: TimeSource {
        let clock = ManualClock()
        let ends: Counter

        var now: Duration { clock.now }
        var date: Date { clock.date }

        func sleep(until instant: Duration) async throws {
            defer { ends.add() }
            try await clock.sleep(until: instant)
        }
    }

    private final class Counter: Sendable {
        private let state = Locked(0)
        var count: Int { state.withLock { $0 } }
        func add() { state.withLock { $0 += 1 } }
    }

    @Test func `a restart delivers the events that are being read`() async throws {
        let ends = Counter()
        let script = ScriptedSession([.open("data: a\n\ndata: b\n\n"), .open("data: c\n\n")])
        let source = loader(script, CountingClock(ends: ends), timeout: .seconds(60)).events()
        let values = source.converting { event, _ in
            if event.data == "a" {
                source.restart()
                // The wait for the deadline ends before the events are returned.
                for _ in 0..<1_000_000 where ends.count == 0 {}
                for _ in 0..<10_000 { _ = ends.count }
            }
            return .value(event.data)
        }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == "a")
        #expect(try await iterator.next() == "b")
        #expect(try await iterator.next() == "c")
    }

    @Test func `a cancelled task does not connect`() async throws {
        let session = session(in: .read)
        let task = Task {
            await waitUntilCancelled()
            return try await loader(session, ManualClock()).events().all()
        }
        task.cancel()
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .cancelled && session.recorded.isEmpty)
    }

    @Test func `the idle timeout ends a silent connection`() async throws {
        let clock = InstantClock()
        let heartbeats = CannedReply.chunks(Array(repeating: Data(":\n".utf8), count: 5), type: "text/event-stream")
        let script = ScriptedSession([
            heartbeats.pausing(.seconds(9)).stallingBody(after: 10), .events("data: a\n\n"),
        ])
        var options = EventOptions()
        options.idleTimeout = .seconds(10)
        let source = loader(script, clock).events(options: options)
        #expect(try await source.first { _ in true }?.data == "a")
        #expect(clock.waits == [9, 9, 9, 9, 10, 3].map { .seconds($0) })
        #expect(source.trail.events.first { $0.source == .events }?.message.contains("timeout") == true)
    }

    @Test(arguments: Step.allCases) func `the deadline applies to each step`(step: Step) async throws {
        let clock = ManualClock()
        let source = loader(session(in: step), clock, timeout: .seconds(2)).events(options: options(for: step))
        let task = Task { try await source.all() }
        if step != .wait { try await clock.advance(by: .seconds(2), sleeping: 2) }
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .timeout)
    }

    @Test func `leaving the loop ends the transfer, and reading has backpressure`() async throws {
        let probe = BodyProbe(endless: Data("data: a\n\n".utf8))
        let loader = APILoader(EventAPI(), session: ProbeSession(probe: probe))
        var count = 0
        for try await event in loader.events() {
            #expect(event.data == "a" && probe.readCount == count + 1)
            count += 1
            if count == 3 { break }
        }
        #expect(probe.isStopped && probe.readCount == 3)
    }

    /// Returns a session with a body that ends without an error when its reader is cancelled, and then with an event.
    private func streams() -> (BodySession, AsyncStream<Data>.Continuation) {
        let (chunks, chunk) = AsyncStream<Data>.makeStream()
        let isFirst = Locked(true)
        let session = BodySession(headers: ["Content-Type": "text/event-stream"]) {
            let wasFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return wasFirst ? ResponseBody(stream: chunks) : ResponseBody(Data("data: b\n\n".utf8))
        }
        return (session, chunk)
    }

    @Test(arguments: [true, false])
    func `a body that ends when it is cancelled is not complete`(restarts: Bool) async throws {
        let (session, chunk) = streams()
        let api = EventAPI(method: "POST")
        let source = APILoader(api, session: session, time: ManualClock()).events()
        let first = Gate()
        let task = Task {
            var data: [String] = []
            for try await event in source {
                data.append(event.data)
                first.open()
            }
            return data
        }
        chunk.yield(Data("data: a\n\n".utf8))
        await first.wait()
        guard restarts else {
            task.cancel()
            let error = await #expect(throws: ServiceError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            return
        }
        source.restart()
        #expect(try await task.value == ["a", "b"])
    }

    @Test func `the last event ends the transfer`() async throws {
        let probe = BodyProbe(endless: Data("data: [DONE]\n\n".utf8))
        let loader = APILoader(EventAPI(), session: ProbeSession(probe: probe))
        var iterator = loader.events(as: Note.self, until: "[DONE]").makeAsyncIterator()
        #expect(try await iterator.next() == nil)
        #expect(probe.isStopped && probe.readCount == 1)
        #expect(try await iterator.next() == nil)
    }
}
