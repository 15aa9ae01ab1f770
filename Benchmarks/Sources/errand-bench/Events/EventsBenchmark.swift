import Errand

/// The rates of event streams and of streamed JSON values, next to code by hand in the same run.
struct EventsBenchmark {
    private static let bytes = 1 << 20
    private static let chunk = 16_384

    func run() async throws {
        print("MB/s (and thousands of events a second) for 1 MB in chunks of 16 kB: median of 15 rounds")
        var table = Table("", "by hand", "Errand", "ratio")
        for data in [20, 200, 20_000] {
            let stream = Self.stream(data: data)
            try await add(
                "parse events, \(data) B", stream, to: &table,
                Variant("by hand") { Self.parseByHand(stream.bytes) },
                Variant("Errand") { try Self.parse(stream.bytes) })
        }
        let deltas = Self.deltas()
        let events = Self.loader(deltas.bytes, "text/event-stream")
        try await add(
            "decode events, 60 B", deltas, to: &table,
            Variant(awaiting: "by hand") { try await Self.decodeLines(of: events, dropping: 6) },
            Variant(awaiting: "Errand") {
                var count = 0
                for try await delta in events.events(as: Delta.self, until: "[DONE]") { count += delta.index }
                return count
            })
        let lines = Self.lines()
        let values = Self.loader(lines.bytes, "application/x-ndjson")
        try await add(
            "JSON Lines, 60 B", lines, to: &table,
            Variant(awaiting: "by hand") { try await Self.decodeLines(of: values, dropping: 0) },
            Variant(awaiting: "Errand") {
                var count = 0
                for try await delta in values.values(as: Delta.self) { count += delta.index }
                return count
            })
        table.print()
    }

    private struct Stream {
        var bytes: Data
        var events: Int
    }

    private struct Delta: Decodable { let index: Int, text: String }

    private struct Reader: APIHandler {
        func makeRequest(from input: Void) throws -> URLRequest {
            URLRequest(url: try BaseURL(validating: "http://127.0.0.1").url(for: "stream"))
        }

        func parseResponse(data: Data, response: HTTPURLResponse) {}
    }

    /// A session that returns a stream from memory.
    private struct Memory: APISession {
        let bytes: Data
        let type: String

        func send(_ request: APIRequest) async throws -> APIResponse {
            let url = try BaseURL(validating: "http://127.0.0.1").url(for: "stream")
            let head = ResponseHead(status: 200, headers: ["Content-Type": type], url: url)
            let parts = AsyncStream<Data> { continuation in
                for part in EventsBenchmark.chunks(bytes) { continuation.yield(part) }
                continuation.finish()
            }
            return APIResponse(head: head, body: ResponseBody(stream: parts))
        }
    }

    private func add(
        _ name: String, _ stream: Stream, to table: inout Table, _ hand: Variant, _ own: Variant
    ) async throws {
        let results = try await Interleaving(block: .lasting(.milliseconds(100)), rounds: 15).measure([hand, own])
        let cells = results.map { result in
            let rate = result.rate.median
            return
                "\((rate * Double(stream.bytes.count) / 1_000_000).integer) (\((rate * Double(stream.events) / 1_000).integer))"
        }
        table.add(name, cells[0], cells[1], results[1].rateRatio(to: results[0]).ratio)
    }
}

extension EventsBenchmark {
    private static func stream(data: Int) -> Stream {
        let event = Data("id: 1234\nevent: put\ndata: \(String(repeating: "x", count: data))\n\n".utf8)
        let count = bytes / event.count
        return Stream(bytes: Data((0..<count).flatMap { _ in event }), events: count)
    }

    private static func json(_ index: Int) -> String { #"{"index":\#(index % 10),"text":"a few words, as in a chat"}"# }

    private static func deltas() -> Stream {
        let texts = (0..<bytes / 60).map { "data: \(json($0))\n\n" }
        return Stream(bytes: Data((texts.joined() + "data: [DONE]\n\n").utf8), events: texts.count)
    }

    private static func lines() -> Stream {
        let texts = (0..<bytes / 55).map { "\(json($0))\n" }
        return Stream(bytes: Data(texts.joined().utf8), events: texts.count)
    }

    private static func loader(_ bytes: Data, _ type: String) -> APILoader<Reader> {
        APILoader(Reader(), session: Memory(bytes: bytes, type: type))
    }

    private static func chunks(_ bytes: Data) -> [Data] {
        stride(from: 0, to: bytes.count, by: chunk).map { Data(bytes.dropFirst($0).prefix(chunk)) }
    }

    private static func parse(_ bytes: Data) throws -> Int {
        var parser = EventParser()
        var count = 0
        for chunk in chunks(bytes) {
            parser.append(chunk)
            while let output = try parser.next() {
                if case .event(let event) = output { count += event.data.utf8.count }
            }
        }
        return count
    }

    /// The shortest parser by hand, which supports only LF and one line of data.
    private static func parseByHand(_ bytes: Data) -> Int {
        var (count, rest, data) = (0, Data(), "")
        for chunk in chunks(bytes) {
            rest.append(chunk)
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                rest = rest[(end + 1)...]
                if line.isEmpty {
                    count += data.utf8.count
                    data = ""
                } else if line.hasPrefix("data: ") {
                    data = String(line.dropFirst(6))
                }
            }
        }
        return count
    }

    private static func decodeLines(of loader: APILoader<Reader>, dropping prefix: Int) async throws -> Int {
        var count = 0
        let decoder = JSONDecoder()
        for try await line in try await loader.stream().value.lines where !line.isEmpty && !line.hasSuffix("[DONE]") {
            count += try decoder.decode(Delta.self, from: Data(line.utf8.dropFirst(prefix))).index
        }
        return count
    }
}
