import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct TransferEventsTests {
    private struct Upload: APIHandler {
        func makeRequest(from data: Data) -> URLRequest {
            var request = URLRequest(url: URL(filePath: "/"))
            request.url = URL(string: "https://api.test/photos")
            request.httpMethod = "POST"
            request.httpBody = data
            return request
        }

        func parseResponse(data: Data, head: ResponseHead) -> String { String(decoding: data, as: UTF8.self) }
    }

    /// A session that reports the given numbers of bytes, and waits between them.
    private struct SteppingSession: APISession {
        var starts = 1
        var steps: [Int64] = []
        var wait: @Sendable () async throws -> Void = {}
        var failure: ServiceError?

        func send(_ request: APIRequest) async throws -> APIResponse {
            for _ in 0..<starts {
                request.options.reportUploadStart(total: steps.reduce(0, +))
                for step in steps {
                    request.options.reportUpload(of: step)
                    try await wait()
                }
            }
            if let failure { throw failure }
            let url = try #require(request.url)
            return APIResponse(head: ResponseHead(status: 200, url: url), body: ResponseBody(Data("done".utf8)))
        }
    }

    /// Collects the events of an upload while the clock advances.
    private func events(
        _ session: SteppingSession, on clock: ManualClock, every interval: Duration = .milliseconds(50)
    ) async throws -> [(event: TransferEvent<String>, time: Duration)] {
        let loader = APILoader(Upload(), session: session, time: clock)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { while !Task.isCancelled { try await clock.advance(by: .milliseconds(10), sleeping: 2) } }
            var events: [(TransferEvent<String>, Duration)] = []
            for try await event in loader.upload(Data("photo".utf8)).updating(every: interval) {
                events.append((event, clock.now))
            }
            return events
        }
    }

    private func progress(_ events: [(event: TransferEvent<String>, time: Duration)]) -> [TransferProgress] {
        events.compactMap { if case .progress(let progress) = $0.event { progress } else { nil } }
    }

    @Test func `progress grows to the total, and the value follows once`() async throws {
        let clock = ManualClock()
        let session = SteppingSession(steps: Array(repeating: 10, count: 30)) {
            try await clock.sleep(until: clock.now + .milliseconds(20))
        }
        let events = try await events(session, on: clock)
        let progress = progress(events)
        #expect(progress.first?.completed == 0 || progress.first?.completed == 10)
        #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.completed <= $1.completed })
        #expect(progress.last?.completed == 300 && progress.last?.total == 300 && progress.last?.fraction == 1)
        #expect(events.last?.event == .finished("done"))
        #expect(progress.count == events.count - 1)
        // 30 steps of 20 ms, at most one event in 50 ms.
        #expect((8...16).contains(progress.count), "\(progress.count)")
        #expect(progress.contains { ($0.rate ?? 0) > 300 && ($0.rate ?? 0) < 700 }, "\(progress.map(\.rate))")
    }

    @Test func `bytes of an earlier call are not part of the rate`() throws {
        let meter = TransferMeter()
        var rate = TransferRate()
        #expect(rate.add(meter.reading, at: .zero) == nil)
        meter.begin(at: 900, total: 1_000)
        #expect(rate.add(meter.reading, at: .seconds(1)) == nil)
        meter.add(10)
        #expect(rate.add(meter.reading, at: .seconds(2)) == 10)
    }

    @Test func `a longer interval reports less often`() async throws {
        let clock = ManualClock()
        let session = SteppingSession(steps: Array(repeating: 10, count: 30)) {
            try await clock.sleep(until: clock.now + .milliseconds(20))
        }
        let events = try await events(session, on: clock, every: .milliseconds(200))
        #expect((3...6).contains(progress(events).count))
    }

    @Test func `progress starts again if the body is sent again`() async throws {
        let clock = ManualClock()
        let session = SteppingSession(starts: 2, steps: [50, 50]) {
            try await clock.sleep(until: clock.now + .milliseconds(100))
        }
        let completed = progress(try await events(session, on: clock)).map(\.completed)
        // An event between the start and its first bytes has 0 bytes.
        let sent = completed.filter { $0 > 0 }
        let changes = sent.indices.filter { $0 == 0 || sent[$0] != sent[$0 - 1] }.map { sent[$0] }
        #expect(changes == [50, 100, 50, 100], "\(completed)")
    }

    @Test func `an error is thrown after the progress, and then the events end`() async throws {
        let failing = SteppingSession(steps: [1], failure: ServiceError(.connection, "gone"))
        var iterator = APILoader(Upload(), session: failing).upload(Data()).makeAsyncIterator()
        let error = await #expect(throws: ServiceError.self) {
            while let event = try await iterator.next() { if case .finished = event { break } }
        }
        #expect(error?.code == .connection)
        #expect(try await iterator.next() == nil)
    }

    @Test func `the value is available without events`() async throws {
        let loader = APILoader(Upload(), session: SteppingSession(steps: [1, 2]))
        #expect(try await loader.upload(Data()).value == "done")
    }

    @Test func `leaving the loop cancels the upload`() async throws {
        let (started, cancelled) = (Gate(), Gate())
        let session = SteppingSession(steps: [1, 1]) {
            started.open()
            await waitUntilCancelled()
            cancelled.open()
            try Task.checkCancellation()
        }
        for try await _ in APILoader(Upload(), session: session).upload(Data()) {
            await started.wait()
            break
        }
        await cancelled.wait()
    }

    @Test func `cancelling the task of the loop ends it with an error`() async throws {
        let started = Gate()
        let session = SteppingSession(steps: [1]) {
            started.open()
            await waitUntilCancelled()
            try Task.checkCancellation()
        }
        let task = Task {
            for try await _ in APILoader(Upload(), session: session).upload(Data()) {}
        }
        await started.wait()
        task.cancel()
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test(
        arguments: [
            (TransferProgress(completed: 25, total: 100, rate: 25), 0.25, Duration.seconds(3)),
            (TransferProgress(completed: 0, total: 0), 1, nil),
            (TransferProgress(completed: 5), nil, nil), (TransferProgress(completed: 5, total: -1, rate: 1), nil, nil),
            (TransferProgress(completed: .min, total: 1, rate: 1), 0, .seconds(1)),
            (TransferProgress(completed: 200, total: 100, rate: 1), 1, .zero),
            (TransferProgress(completed: 1, total: 100, rate: 0), 0.01, nil),
            (
                TransferProgress(completed: 1, total: .max, rate: 1e-300), Double(1) / Double(Int64.max),
                .seconds(31_536_000)
            ),
        ] as [(TransferProgress, Double?, Duration?)])
    func `the fraction and the remaining time follow from the bytes`(
        progress: TransferProgress, fraction: Double?, remaining: Duration?
    ) {
        #expect(progress.fraction == fraction)
        #expect(progress.remaining == remaining)
    }
}
