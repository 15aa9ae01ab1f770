extension WireMutation {
    static let lengths: [WireMutation] = [
        .init("Content-Length value") { draft, random in
            let count = draft.bodyBytes.count
            let value = random.pick(
                "\(count + 1)", "\(max(0, count - 1))", "\(count / 2)", "0", "-1", "+\(count)", "", "\(count),",
                "\(count), \(count)", "\(count), \(count + 1)", "0x10", "\(count) \(count)", "1e3", "NaN",
                "9223372036854775807", "9223372036854775808", "18446744073709551616", "-9223372036854775808",
                "99999999999999999999999", "4294967296", "2147483648", "\(count).0", "\"\(count)\"",
                "\(count)\u{0}", "\(count)\r", "\(count);a", "\u{0B}\(count)", "00000000000000000000000\(count)")
            draft.replace("content-length", by: [UInt8](wire: "Content-Length: \(value)") + .lineEnd)
        },
        .init("second Content-Length") { draft, random in
            let count = draft.bodyBytes.count
            let values = random.pick(
                [count, count], [count, count + 1], [count + 1, count], [0, count], [count, 0])
            draft.remove("content-length")
            for value in values { draft.addHeader("Content-Length: \(value)") }
        },
        .init("Content-Length and Transfer-Encoding") { draft, random in
            draft.addHeader("Content-Length: \(random.pick(0, 3, draft.bodyBytes.count, .max))")
            if draft.index(of: "transfer-encoding") == nil { draft.addHeader("Transfer-Encoding: chunked") }
        },
        .init("no framing header") { draft, _ in
            draft.remove("content-length")
            draft.remove("transfer-encoding")
        },
        .init("bytes after the response") { draft, random in
            let more = random.pick(
                "x", "\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nforeign", "0\r\n\r\n", "\u{0}")
            guard case .plain(let bytes) = draft.body else { return }
            draft.body = .plain(bytes + [UInt8](wire: more))
        },
    ]

    static let codings: [WireMutation] = [
        .init("Transfer-Encoding value") { draft, random in
            let value = random.pick(
                "identity", "gzip", "gzip, chunked", "chunked, gzip", "chunked, chunked", "x, chunked", "xchunked",
                "chunkedx", "chunked;a=b", "", ",", ", chunked", "chunked,", "\u{0B}chunked", "\"chunked\"", "deflate",
                "identity, chunked", "chunked\u{0}", "chunked\r", "chunked chunked", "CHUNKED", "cHuNkEd")
            draft.replace("transfer-encoding", by: [UInt8](wire: "Transfer-Encoding: \(value)") + .lineEnd)
        },
        .init("second Transfer-Encoding") { draft, random in
            draft.addHeader("Transfer-Encoding: " + random.pick("chunked", "identity", "gzip", "", "x"))
        },
        .init("chunked in HTTP/1.0") { draft, _ in
            draft.statusLine = [UInt8](wire: "HTTP/1.0 200 OK") + .lineEnd
        },
        .init("gzip and chunked") { draft, random in
            guard case .plain(let bytes) = draft.body else { return }
            let plain = random.chance(50) ? Compressed.gzip(bytes) : bytes
            let size = [UInt8](wire: String(plain.count, radix: 16))
            let last = [UInt8](wire: "0") + .lineEnd
            draft.body = .chunked(
                plain.isEmpty ? [] : [.init(line: size, data: plain)], last: last, trailers: [], end: .lineEnd)
            draft.remove("content-length")
            draft.addHeader("Transfer-Encoding: gzip, chunked")
        },
    ]

    /// Creates a mutation of one chunk. Bodies without chunked coding are unchanged.
    private static func chunk(
        _ name: String,
        _ change: @escaping @Sendable (inout WireDraft.Chunk, inout WireRandom) -> Void
    ) -> WireMutation {
        .init(name) { draft, random in
            guard case .chunked(var chunks, let last, let trailers, let end) = draft.body,
                let index = chunks.indices.randomElement(using: &random)
            else { return }
            change(&chunks[index], &random)
            draft.body = .chunked(chunks, last: last, trailers: trailers, end: end)
        }
    }

    static let chunks: [WireMutation] = [
        chunk("chunk size") { chunk, random in
            let count = chunk.data.count
            let size = String(count, radix: 16)
            chunk.line = [UInt8](
                wire: random.pick(
                    String(count + 1, radix: 16), String(max(0, count - 1), radix: 16), "0", "", "zz", "-1", "+\(size)",
                    "0x\(size)", " \(size)", "\(size) ", "\(size)\t", "\(size)g", "\(size) 5", "FFFFFFFFFFFFFFFF",
                    "7FFFFFFFFFFFFFFF", "8000000000000000", "10000000000000000", "00000000000000000000\(size)",
                    "\(size).0", "\(size)\u{0}", "\(size)\r", "1\(size)", "7FFFFFFF", "FFFFFFFF"))
        },
        chunk("chunk extension") { chunk, random in
            let size = String(chunk.data.count, radix: 16)
            let long = String(repeating: "e", count: random.pick(100, 5_000, 20_000))
            chunk.line = [UInt8](
                wire: random.pick(
                    "\(size);", "\(size);=", "\(size);\(long)", "\(size);a=\"", "\(size);a\u{0}", "\(size);a\rb",
                    "\(size) a=b", "\(size);;;"))
        },
        chunk("chunk line ending") { chunk, random in
            chunk.lineEnd = random.pick([0x0A], [0x0D], [], [0x0D, 0x0D, 0x0A], [0x0A, 0x0A])
        },
        chunk("chunk end") { chunk, random in
            chunk.dataEnd = random.pick(
                [], [0x0A], [0x0D], [0x0D, 0x0D, 0x0A], [0x78, 0x0D, 0x0A], [0x20, 0x0D, 0x0A])
        },
        .init("end of the chunks") { draft, random in
            guard case .chunked(let chunks, let last, let trailers, let end) = draft.body else { return }
            switch random.below(5) {
            case 0: draft.body = .chunked(chunks, last: [], trailers: [], end: [])
            case 1: draft.body = .chunked(chunks, last: last, trailers: trailers, end: [])
            case 2: draft.body = .chunked(chunks, last: [0x30], trailers: [], end: [])
            case 3: draft.body = .chunked(chunks, last: [0x30, 0x0A], trailers: trailers, end: [0x0A])
            default: draft.body = .chunked(chunks, last: [], trailers: [], end: end)
            }
        },
        .init("trailers") { draft, random in
            guard case .chunked(let chunks, let last, _, let end) = draft.body else { return }
            let line = random.pick(
                "X-Sum: 1", "Content-Length: 3", "Transfer-Encoding: chunked", "no field", " folded", "X\u{0}: 1",
                "X: " + String(repeating: "t", count: random.pick(10, 20_000, 110_000)), "Content-Encoding: gzip", ":")
            let lines = Array(repeating: [UInt8](wire: line) + .lineEnd, count: random.pick(1, 2, 200))
            draft.body = .chunked(chunks, last: last, trailers: lines, end: end)
        },
    ]
}
