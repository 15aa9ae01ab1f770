import Errand
import ErrandSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BodyPipeTests {
    /// An operation on a pipe and its expected result. Sizes are in bytes.
    enum Step: Sendable {
        case write(Int, goesOn: Bool = true)
        /// `nil` is the end of the body.
        case read(Int?)
        case finish
        case fail
        case failedRead
        case cancelledRead
        case stop
        case told(String)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [Step]
        var testDescription: String { name }

        init(_ name: String, _ steps: Step...) { (self.name, self.steps) = (name, steps) }
    }

    static let full = BodyPipe.highWater
    static let half = BodyPipe.lowWater

    static let rows: [Row] = [
        Row("finish without data", .finish, .read(nil), .read(nil), .told("")),
        Row("write before read", .write(1), .write(2), .read(3), .finish, .read(nil), .told("")),
        Row("unread data precedes the end", .write(1), .finish, .read(1), .read(nil)),
        Row("unread data precedes a failure", .write(1), .fail, .read(1), .failedRead, .failedRead),
        Row("a finish after a failure is ignored", .fail, .finish, .failedRead),
        Row("a failure after a finish is ignored", .finish, .fail, .read(nil)),
        Row("a write after the end is dropped", .finish, .write(1), .read(nil)),
        Row("one byte below the high-water mark", .write(full - 1), .read(full - 1), .told("")),
        Row(
            "a full pipe pauses, reading drains it", .write(full, goesOn: false), .told(""), .read(full),
            .told("drained")),
        Row(
            "filled by two writes", .write(full - 1), .write(1, goesOn: false), .write(1, goesOn: false),
            .read(full - 1), .told("drained"), .read(2), .write(1), .read(1), .told("drained")),
        Row(
            "a full pipe resumes when half of it is read", .write(half), .write(half, goesOn: false),
            .write(half, goesOn: false), .write(1, goesOn: false), .read(half), .told(""), .read(half), .told(""),
            .read(half), .told("drained"), .read(1), .told("drained")),
        Row("drained after the end", .write(full, goesOn: false), .finish, .read(full), .read(nil)),
        Row("stop", .write(1), .stop, .told("stopped"), .cancelledRead),
        Row("stop once", .stop, .stop, .told("stopped")),
        Row("stop after the end is not reported", .write(1), .finish, .stop, .told(""), .cancelledRead),
        Row("stop after a failure is not reported", .fail, .stop, .told("")),
        Row("a write after a stop is dropped and does not pause", .stop, .write(full), .cancelledRead),
        Row("stop when full", .write(full, goesOn: false), .stop, .write(1), .told("stopped"), .cancelledRead),
    ]

    @Test(arguments: rows)
    func `each sequence of operations has the expected result`(row: Row) async throws {
        let told = Locked("")
        let pipe = BodyPipe(
            onDrained: { told.withLock { $0 += "drained" } }, onStop: { told.withLock { $0 += "stopped" } })
        for step in row.steps {
            switch step {
            case .write(let count, let goesOn):
                #expect(pipe.write(Data(count: count)) == goesOn)
                #expect(pipe.isFull == (pipe.unreadCount >= Self.full))
                #expect(pipe.isFull == !goesOn)
            case .read(let count): #expect(try await pipe.read()?.count == count)
            case .finish: pipe.finish(.success(()))
            case .fail: pipe.finish(.failure(URLError(.networkConnectionLost)))
            case .failedRead: await #expect(throws: URLError.self) { try await pipe.read() }
            case .cancelledRead: await #expect(throws: CancellationError.self) { try await pipe.read() }
            case .stop: pipe.stop()
            case .told(let expected): #expect(told.withLock { $0 } == expected)
            }
        }
    }

    @Test func `a waiting reader receives data, the end, a failure or cancellation`() async throws {
        let endings: [@Sendable (BodyPipe) -> Void] = [
            { $0.finish(.success(())) }, { $0.finish(.failure(URLError(.timedOut))) }, { $0.stop() },
        ]
        for (number, end) in endings.enumerated() {
            for _ in 0..<100 {
                let pipe = BodyPipe(onDrained: {}, onStop: {})
                let reader = Task {
                    do { return try await pipe.read().map { "\($0.count)" } ?? "end" } catch {
                        return "\(type(of: error))"
                    }
                }
                end(pipe)
                let expected = ["end", "URLError", "CancellationError"][number]
                #expect(await reader.value == expected)
            }
        }
        for _ in 0..<100 {
            let pipe = BodyPipe(onDrained: {}, onStop: {})
            let reader = Task { try await pipe.read() }
            #expect(pipe.write(Data(count: BodyPipe.highWater - 1)))
            #expect(try await reader.value?.count == BodyPipe.highWater - 1)
        }
    }

    @Test func `cancelling a reader stops the pipe before or during a read`() async throws {
        for _ in 0..<100 {
            let stops = Locked(0)
            let pipe = BodyPipe(onDrained: {}, onStop: { stops.withLock { $0 += 1 } })
            let reader = Task { try await pipe.read() }
            reader.cancel()
            await #expect(throws: CancellationError.self) { try await reader.value }
            #expect(stops.withLock { $0 } == 1)
        }
    }

    @Test func `all bytes arrive in order with concurrent reads and writes`() async throws {
        let pipe = BodyPipe(onDrained: {}, onStop: {})
        let writer = Task.detached {
            for number in 0..<2_000 { _ = pipe.write(Data(repeating: UInt8(truncatingIfNeeded: number), count: 100)) }
            pipe.finish(.success(()))
        }
        var received = Data()
        while let chunk = try await pipe.read() { received.append(chunk) }
        await writer.value
        #expect(received.count == 200_000)
        #expect(
            stride(from: 0, to: 200_000, by: 100).allSatisfy { received[$0] == UInt8(truncatingIfNeeded: $0 / 100) })
    }
}
