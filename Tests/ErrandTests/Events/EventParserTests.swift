import Errand
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct EventParserTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: Data
        let events: [ServerSentEvent]
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ events: ServerSentEvent...) {
            (self.name, bytes, self.events) = (name, Data(text.utf8), events)
        }

        init(_ name: String, bytes: [UInt8], _ events: ServerSentEvent...) {
            (self.name, self.bytes, self.events) = (name, Data(bytes), events)
        }
    }

    private static func event(_ data: String, type: String = "message", id: String = "") -> ServerSentEvent {
        ServerSentEvent(type: type, data: data, id: id)
    }

    static let rows: [Row] = [
        Row("nothing", ""),
        Row("LF", "data: a\n\ndata: b\n\n", event("a"), event("b")),
        Row("CR", "data: a\r\rdata: b\r\r", event("a"), event("b")),
        Row("CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", event("a"), event("b")),
        Row("CRLF and then LF", "data: a\r\n\ndata: b\n\r\n", event("a"), event("b")),
        Row("CR and then CRLF", "data: a\r\r\ndata: b\r\r\n\n", event("a"), event("b")),
        Row("several lines", "data: a\ndata:\ndata: b\n\n", event("a\n\nb")),
        Row("an empty line of data", "data\n\n", event("")),
        Row("only one space is removed", "data:  a \n\n", event(" a ")),
        Row("a colon in the value", "data:a:b: c\n\n", event("a:b: c")),
        Row("a tab is part of the value", "data:\ta\n\n", event("\ta")),
        Row("names are compared with case", "Data: a\nDATA: b\n data: c\ndatas: d\n\n"),
        Row("an event without data", "event: a\nid: 1\n\n"),
        Row("the type is reset without data", "event: a\n\ndata: b\n\n", event("b")),
        Row(
            "the last type and ID count", "event: a\nevent: b\nid: 1\nid: 2\ndata: c\n\n",
            event("c", type: "b", id: "2")),
        Row("the ID is kept", "id: 1\ndata: a\n\ndata: b\n\n", event("a", id: "1"), event("b", id: "1")),
        Row("an empty ID resets it", "id: 1\ndata: a\n\nid\ndata: b\n\n", event("a", id: "1"), event("b")),
        Row("an ID with NUL is ignored", "id: 1\nid: 2\0\ndata: a\n\n", event("a", id: "1")),
        Row("an incomplete event", "data: a\n\nid: 2\ndata: b\n", event("a")),
        Row("an incomplete line", "data: a\n\ndata: b", event("a")),
        Row("a comment within an event", "data: a\n: b\ndata: c\n\n", event("a\nc")),
        Row("one byte order mark", "\u{FEFF}data: a\n\n", event("a")),
        Row("two byte order marks", "\u{FEFF}\u{FEFF}data: a\n\ndata: b\n\n", event("b")),
        Row("a byte order mark in a value", "data: \u{FEFF}a\n\n", event("\u{FEFF}a")),
        Row("a later byte order mark", "\n\u{FEFF}data: a\n\n"),
        Row("invalid UTF-8", bytes: Array("data: a".utf8) + [0xFF, 0x0A, 0x0A], event("a\u{FFFD}")),
        Row("truncated UTF-8", bytes: Array("data:".utf8) + [0xE2, 0x82, 0x0D, 0x0D], event("\u{FFFD}")),
        Row("other separators are content", "data: a\u{2028}b\u{85}\u{B}\n\n", event("a\u{2028}b\u{85}\u{B}")),
    ]

    @Test(arguments: rows) func `events do not depend on chunk boundaries`(row: Row) throws {
        #expect(try ParsedStream.all(row.bytes).events == row.events)
    }

    @Test(arguments: [
        ("retry: 20\n", Duration.milliseconds(20)), ("retry:007\n", .milliseconds(7)), ("retry: 1x\n", nil),
        ("retry: -1\n", nil), ("retry: 1.5\n", nil), ("retry\n", nil), ("retry:\n", nil), ("retry:  1\n", nil),
        ("retry: ٣\n", nil), ("retry: 3\nretry: x\n", .milliseconds(3)), ("retry: 3", nil),
        ("retry: 99999999999999999999999999\n", .milliseconds(Int64.max)),
    ])
    func `a reconnection time has only digits`(text: String, retry: Duration?) throws {
        #expect(try ParsedStream.all(Data(text.utf8)).retry == retry)
    }

    @Test func `comments are delivered before their event`() throws {
        var parser = EventParser()
        parser.append(Data(":\n: a\n:b\r\ndata: c\n:d\n\n".utf8))
        var outputs: [EventParser.Output] = []
        while let output = try parser.next() { outputs.append(output) }
        #expect(
            outputs == [
                .comment(""), .comment(" a"), .comment("b"), .comment("d"), .event(ServerSentEvent(data: "c")),
            ])
    }

    @Test func `the last event ID is that of a complete event`() throws {
        #expect(try ParsedStream([], lastEventID: "0").lastEventID == "0")
        #expect(try ParsedStream([Data("id: 1\n".utf8)], lastEventID: "0").lastEventID == "0")
        #expect(try ParsedStream([Data("id: 1\n\n".utf8)], lastEventID: "0").lastEventID == "1")
        let kept = try ParsedStream([Data("data: a\n\n".utf8)], lastEventID: "0")
        #expect(kept.events == [ServerSentEvent(data: "a", id: "0")])
    }
}

/// The limit of an event, and the time for hostile streams.
@Suite(.timeLimit(.minutes(2))) struct EventLimitTests {
    @Test(arguments: [
        "data: 123456", ":12345678901", "a: 123456789", "data:1\ndata:2\ndata:3", "event: 12345", "id: 12345678",
    ])
    func `an event may reach its limit but not exceed it`(text: String) throws {
        let bytes = Data("\(text)\n\n".utf8)
        for size in [1, 3, 100] {
            let parts = stride(from: 0, to: bytes.count, by: size).map { Data(bytes.dropFirst($0).prefix(size)) }
            _ = try ParsedStream(parts, limit: text.utf8.count)
            let error = #expect(throws: ServiceError.self) { try ParsedStream(parts, limit: 6) }
            #expect(
                error?.code == .bodyTooLarge
                    && error?.reason
                        == "expected events of at most 6 bytes, found more: set a larger limit in EventOptions"
            )
        }
    }

    @Test func `the limit applies to each event`() throws {
        let bytes = Data(String(repeating: "id: 1\nevent: a\ndata: 1\n\n", count: 100).utf8)
        #expect(try ParsedStream([bytes], limit: 20).events.count == 100)
    }

    @Test func `a failed parser fails again`() throws {
        var parser = EventParser(limit: 4)
        parser.append(Data("data: 12345\n\ndata\n\n".utf8))
        for _ in 1...2 { #expect(throws: ServiceError.self) { try parser.next() } }
    }

    @Test func `an endless line fails at the default limit`() throws {
        var parser = EventParser()
        var count = 0
        let error = #expect(throws: ServiceError.self) {
            while true {
                parser.append(Data(repeating: 0x61, count: 100_000))
                count += 1
                _ = try parser.next()
            }
        }
        #expect(error?.code == .bodyTooLarge && count == 168)
    }

    @Test(arguments: 65_520...65_545) func `a large chunk may have a line ending at any byte`(length: Int) throws {
        let comment = ":" + String(repeating: "x", count: length - 1)
        let bytes = Data("\(comment)\r\ndata: a\r\ndata: b\r\n\r\nid: 1\r\rdata\n\n".utf8)
        let stream = try ParsedStream([bytes])
        #expect(stream.events == [ServerSentEvent(data: "a\nb"), ServerSentEvent(data: "", id: "1")])
        #expect(stream.comments.map(\.utf8.count) == [length - 1])
    }

    @Test(arguments: [1, 14_000]) func `an event of 14 MB is delivered by default`(lineCount: Int) throws {
        let line = "data: \(String(repeating: "x", count: 14_000_000 / lineCount - 1))\n"
        let bytes = Data((String(repeating: line, count: lineCount) + "\n").utf8)
        let chunks = stride(from: 0, to: bytes.count, by: 16_384).map { Data(bytes.dropFirst($0).prefix(16_384)) }
        #expect(try ParsedStream(chunks).events.map(\.data.utf8.count) == [13_999_999])
    }

    static let units = [
        "\n", "\r", "\r\n", "x", "data\n", "data:x\r", "id:1\r\n", ":\n", "data\n\n", "retry:1\n", "data\r\r\n",
    ]

    private static func chunk(of ending: String, _ count: Int) -> Data {
        Data(String(repeating: ending, count: count).utf8)
    }

    @Test(arguments: TestEnvironment.sample(["\r", "\n", "\r\n"]))
    func `a large chunk of empty lines takes linear time`(ending: String) async throws {
        let (small, large) = (Self.chunk(of: ending, 250_000), Self.chunk(of: ending, 1_000_000))
        // Linear time gives 4. With a search to the end of the chunk for each line, it would be more than 10.
        let growth = try await ProcessorTime.growth(limit: 8) {
            _ = try ParsedStream([small])
        } long: {
            _ = try ParsedStream([large])
        }
        #expect(growth < 8)
    }

    @Test(arguments: TestEnvironment.sample(units), [false, true])
    func `parsing takes time linear in the size`(unit: String, isSplit: Bool) async throws {
        let growth = try await ProcessorTime.growth(ofRepeating: unit) { text in
            let bytes = Data(text.utf8)
            _ = try isSplit ? ParsedStream(bytes.map { Data([$0]) }) : ParsedStream([bytes])
        }
        #expect(growth < 64)
    }
}
