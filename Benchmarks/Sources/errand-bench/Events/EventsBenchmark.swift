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
                Variant("by hand") { Self.parseByHand(stream.chunks) },
                Variant("Errand") { try Self.parse(stream.chunks) })
        }
        let deltas = Self.deltas()
        let events = Self.loader(deltas.chunks, "text/event-stream")
        try await add(
            "deliver events, 60 B", deltas, to: &table,
            Variant(awaiting: "by hand") { try await Self.deliverLines(of: events) },
            Variant(awaiting: "Errand") { try await Self.deliver(events) })
        try await add(
            "decode events, 60 B", deltas, to: &table,
            Variant(awaiting: "by hand") { try await Self.decodeLines(of: events, dropping: 6) },
            Variant(awaiting: "Errand") {
                var count = 0
                for try await delta in events.events(as: Delta.self, until: "[DONE]") { count += delta.index }
                return count
            })
        let lines = Self.lines()
        let values = Self.loader(lines.chunks, "application/x-ndjson")
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
        let byteCount: Int
        /// The bytes in chunks. They are made before the measurement.
        let chunks: [Data]
        let events: Int

        init(_ bytes: Data, events: Int) {
            (byteCount, self.events) = (bytes.count, events)
            chunks = stride(from: 0, to: bytes.count, by: EventsBenchmark.chunk).map {
                Data(bytes.dropFirst($0).prefix(EventsBenchmark.chunk))
            }
        }
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
        let chunks: [Data]
        let type: String

        func send(_ request: APIRequest) async throws -> APIResponse {
            let url = try BaseURL(validating: "http://127.0.0.1").url(for: "stream")
            let head = ResponseHead(status: 200, headers: ["Content-Type": type], url: url)
            let stream = AsyncStream<Data> { continuation in
                for chunk in chunks { continuation.yield(chunk) }
                continuation.finish()
            }
            return APIResponse(head: head, body: ResponseBody(stream: stream))
        }
    }

    private func add(
        _ name: String, _ stream: Stream, to table: inout Table, _ hand: Variant, _ own: Variant
    ) async throws {
        let results = try await Interleaving(block: .lasting(.milliseconds(100)), rounds: 15).measure([hand, own])
        let cells = results.map { result in
            let rate = result.rate.median
            let megabytes = (rate * Double(stream.byteCount) / 1_000_000).integer
            return "\(megabytes) (\((rate * Double(stream.events) / 1_000).integer))"
        }
        table.add(name, cells[0], cells[1], results[1].rateRatio(to: results[0]).ratio)
    }
}

extension EventsBenchmark {
    private static func stream(data: Int) -> Stream {
        let event = Data("id: 1234\nevent: put\ndata: \(String(repeating: "x", count: data))\n\n".utf8)
        let count = bytes / event.count
        return Stream(Data((0..<count).flatMap { _ in event }), events: count)
    }

    private static func json(_ index: Int) -> String { #"{"index":\#(index % 10),"text":"a few words, as in a chat"}"# }

    private static func deltas() -> Stream {
        let texts = (0..<bytes / 60).map { "data: \(json($0))\n\n" }
        return Stream(Data((texts.joined() + "data: [DONE]\n\n").utf8), events: texts.count)
    }

    private static func lines() -> Stream {
        let texts = (0..<bytes / 55).map { "\(json($0))\n" }
        return Stream(Data(texts.joined().utf8), events: texts.count)
    }

    private static func loader(_ chunks: [Data], _ type: String) -> APILoader<Reader> {
        APILoader(Reader(), session: Memory(chunks: chunks, type: type))
    }

    private static func parse(_ chunks: [Data]) throws -> Int {
        var parser = EventParser()
        var count = 0
        for chunk in chunks {
            parser.append(chunk)
            while let output = try parser.next() {
                if case .event(let event) = output { count += event.data.utf8.count }
            }
        }
        return count
    }

    /// A loop over the bytes, which supports only LF and one line of data.
    private static func parseByHand(_ chunks: [Data]) -> Int {
        var (count, line, data) = (0, [UInt8](), "")
        for chunk in chunks {
            for byte in chunk {
                guard byte == UInt8(ascii: "\n") else {
                    line.append(byte)
                    continue
                }
                if line.isEmpty {
                    count += data.utf8.count
                    data = ""
                } else if line.starts(with: "data: ".utf8) {
                    data = String(decoding: line.dropFirst(6), as: UTF8.self)
                }
                line.removeAll(keepingCapacity: true)
            }
        }
        return count
    }

    private static func deliver(_ loader: APILoader<Reader>) async throws -> Int {
        var count = 0
        for try await event in loader.events() {
            guard event.data != "[DONE]" else { break }
            count += event.data.utf8.count
        }
        return count
    }

    private static func deliverLines(of loader: APILoader<Reader>) async throws -> Int {
        var count = 0
        for try await line in try await loader.stream().value.lines where line.hasPrefix("data: ") {
            count += line.utf8.count - 6
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
