import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct JSONValuesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let numbers: [Int]
        var type = "application/x-ndjson"
        var testDescription: String { name }
    }

    static let sequence = "application/json-seq"
    static let rows: [Row] = [
        Row(name: "nothing", text: "", numbers: []),
        Row(name: "lines", text: "{\"n\":1}\n{\"n\":2}\n", numbers: [1, 2]),
        Row(name: "no last line ending", text: "{\"n\":1}\n{\"n\":2}", numbers: [1, 2]),
        Row(name: "CRLF and blank lines", text: "\r\n{\"n\":1}\r\n\r\n  \n{\"n\":2}\r\n", numbers: [1, 2]),
        Row(name: "a sequence", text: "\u{1E}{\"n\":1}\n\u{1E}{\"n\":2}\n", numbers: [1, 2], type: sequence),
        Row(
            name: "line breaks in a sequence", text: "\u{1E}{\n\"n\":\n1}\u{1E}\u{1E}\n\u{1E}{\"n\":2}",
            numbers: [1, 2],
            type: "application/geo+json-seq"),
    ]

    private func loader(_ reply: CannedReply, _ api: EventAPI = EventAPI()) -> APILoader<EventAPI> {
        APILoader(api, session: ScriptedSession(answering: { _ in reply }), time: InstantClock())
    }

    @Test(arguments: rows) func `values do not depend on chunk boundaries`(row: Row) async throws {
        let bytes = Data(row.text.utf8)
        for size in [1, 2, 3, 7, 1_000] {
            let parts = stride(from: 0, to: bytes.count, by: size).map { Data(bytes.dropFirst($0).prefix(size)) }
            var numbers: [Int] = []
            for try await note in loader(.chunks(parts, type: row.type)).values(as: Note.self) {
                numbers.append(note.n)
            }
            #expect(numbers == row.numbers, "chunks of \(size) bytes")
        }
    }

    @Test(arguments: [
        ("{\"n\":1}\n\n{\"n\":\"x\"}\n{\"n\":3}\n", "application/jsonl", "line 3 cannot be decoded: ", [1, 3]),
        ("\u{1E}{\"n\":1}\n\u{1E}{\"n\":\u{1E}{\"n\":3}\n", sequence, "element 2 cannot be decoded: ", [1, 3]),
    ])
    func `a malformed value names its position, or is skipped`(
        text: String, type: String, reason: String, numbers: [Int]
    ) async throws {
        let loader = loader(.data(Data(text.utf8), type: type))
        var iterator = loader.values(as: Note.self).makeAsyncIterator()
        #expect(try await iterator.next() == Note(n: 1))
        let error = await #expect(throws: ServiceError.self) { try await iterator.next() }
        #expect(error?.code == .decoding && error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
        #expect(error?.request?.method == "GET" && error?.body?.isEmpty == false)
        #expect(try await iterator.next() == nil)
        let skipping = loader.values(as: Note.self, skipsUndecodable: true)
        var found: [Int] = []
        for try await note in skipping { found.append(note.n) }
        #expect(found == numbers && skipping.skippedCount == 1)
    }

    @Test(arguments: [("\u{1E}1\n\u{1E}12", [1]), ("\u{1E}12\u{1E}3\n", [3]), ("\u{1E}\"a\"\u{1E}3\n", [3])])
    func `a number without white space after it may be truncated`(text: String, numbers: [Int]) async throws {
        let values = loader(.data(Data(text.utf8), type: Self.sequence)).values(as: Int.self, skipsUndecodable: true)
        var found: [Int] = []
        for try await number in values { found.append(number) }
        #expect(found == numbers && values.skippedCount == 1)
    }

    @Test func `a value beyond the limit is an error`() async throws {
        for text in ["{\"n\":1}\n{\"n\":100}\n", "{\"n\":1}\n{\"n\":100}"] {
            var iterator = loader(.data(Data(text.utf8))).values(as: Note.self, limit: 7).makeAsyncIterator()
            #expect(try await iterator.next() == Note(n: 1))
            let error = await #expect(throws: ServiceError.self) { try await iterator.next() }
            #expect(error?.code == .bodyTooLarge)
        }
    }

    @Test func `an interrupted body is an error after its values`() async throws {
        let reply = CannedReply.data(Data("{\"n\":1}\n{\"n\":2".utf8)).truncatingBody(after: 14)
        var iterator = loader(reply).values(as: Note.self).makeAsyncIterator()
        #expect(try await iterator.next() == Note(n: 1))
        let error = await #expect(throws: ServiceError.self) { try await iterator.next() }
        #expect(error?.code == .connectionLost && error?.trail.events.isEmpty == false)
        let refused = await #expect(throws: ServiceError.self) {
            for try await _ in loader(.status(404)).values(as: Note.self) {}
        }
        #expect(refused?.status == 404)
    }

    @Test func `leaving the loop and cancellation end the transfer`() async throws {
        let probe = BodyProbe(endless: Data("1\n".utf8))
        for try await _ in APILoader(EventAPI(), session: ProbeSession(probe: probe)).values(as: Int.self) { break }
        #expect(probe.isStopped && probe.readCount == 1)
        let clock = ManualClock()
        let silent = ScriptedSession([CannedReply.data(Data("1\n".utf8)).stallingBody(after: 2)])
        let values = APILoader(EventAPI(), session: silent, time: clock).values(as: Int.self)
        let task = Task { for try await _ in values {} }
        try await clock.waitForSleepers()
        task.cancel()
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `a body that ends when it is cancelled has no last value`() async throws {
        let (chunks, chunk) = AsyncStream<Data>.makeStream()
        let session = BodySession(headers: ["Content-Type": "application/x-ndjson"]) { ResponseBody(stream: chunks) }
        let found = Locked<[Int]>([])
        let first = Gate()
        let task = Task {
            for try await number in APILoader(EventAPI(), session: session).values(as: Int.self) {
                found.withLock { $0.append(number) }
                first.open()
            }
        }
        chunk.yield(Data("1\n12".utf8))
        await first.wait()
        task.cancel()
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .cancelled && found.withLock { $0 } == [1])
    }

    @Test func `the deadline applies while values are read`() async throws {
        let clock = ManualClock()
        let silent = ScriptedSession([CannedReply.data(Data("1\n".utf8)).stallingBody(after: 2)])
        let loader = APILoader(EventAPI(timeout: .seconds(2)), session: silent, time: clock)
        let task = Task { for try await _ in loader.values(as: Int.self) {} }
        try await clock.advance(by: .seconds(2), sleeping: 2)
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .timeout)
    }

    @Test(arguments: TestEnvironment.sample(["\n", "[1,1]\n", "1\n", "x"]))
    func `splitting takes time linear in the size`(unit: String) async throws {
        for format in [JSONValueSplitter.Format.lines, .sequence] {
            let growth = try await ProcessorTime.growth(ofRepeating: unit) { text in
                var splitter = JSONValueSplitter(format, limit: 1 << 20)
                for byte in text.utf8 {
                    splitter.add(Data([byte]))
                    while try splitter.next() != nil {}
                }
            }
            #expect(growth < 64)
        }
    }
}
