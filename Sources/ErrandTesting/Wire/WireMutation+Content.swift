extension WireMutation {
    /// Creates a mutation that compresses the body, mutates the compressed bytes and frames them correctly.
    private static func coded(
        _ name: String, _ coding: String = "gzip",
        _ make: @escaping @Sendable ([UInt8], inout WireRandom) -> [UInt8]
    ) -> WireMutation {
        .init(name) { draft, random in
            let bytes = make([UInt8](wire: "the content of \(name) ") + draft.bodyBytes.prefix(2_000), &random)
            draft.remove("content-encoding")
            draft.addHeader("Content-Encoding: \(coding)")
            draft.remove("content-length")
            draft.remove("transfer-encoding")
            if random.chance(50) {
                draft.addHeader("Content-Length: \(bytes.count)")
                draft.body = .plain(bytes)
            } else {
                let size = [UInt8](wire: String(bytes.count, radix: 16))
                draft.addHeader("Transfer-Encoding: chunked")
                draft.body = .chunked(
                    bytes.isEmpty ? [] : [.init(line: size, data: bytes)], last: [0x30] + .lineEnd, trailers: [],
                    end: .lineEnd)
            }
        }
    }

    static let contentCodings: [WireMutation] = [
        coded("truncated gzip") { plain, random in
            let bytes = Compressed.gzip(plain)
            return Array(
                bytes.prefix(random.chance(50) ? bytes.count - 1 - random.below(9) : random.below(bytes.count)))
        },
        coded("corrupted gzip") { plain, random in
            var bytes = Compressed.gzip(plain, flags: random.chance(20) ? 0x1E : 0)
            bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
            return bytes
        },
        coded("garbage behind gzip") { plain, random in
            Compressed.gzip(plain) + [UInt8](wire: random.pick("x", "\u{0}", "garbage", "\u{1F}", "\r\n"))
        },
        coded("gzip of two members") { plain, random in
            let half = random.below(plain.count)
            return Compressed.gzip(Array(plain[..<half])) + Compressed.gzip(Array(plain[half...]))
        },
        coded("second member cut off") { plain, random in
            let second = Compressed.gzip(plain)
            return Compressed.gzip(plain) + second.prefix(2 + random.below(second.count - 2))
        },
        coded("not gzip") { plain, _ in plain },
        coded("empty gzip") { _, _ in [] },
        coded("unknown coding", "x-unknown") { plain, _ in plain },
        coded("unknown coding inside", "x-unknown, gzip") { plain, _ in Compressed.gzip(plain) },
        coded("gzip twice", "gzip, gzip") { plain, _ in Compressed.gzip(Compressed.gzip(plain)) },
        coded("gzip, named twice", "gzip, gzip") { plain, _ in Compressed.gzip(plain) },
        coded("identity", "identity") { plain, _ in plain },
        coded("identity around gzip", "gzip, identity") { plain, _ in Compressed.gzip(plain) },
        coded("truncated zlib", "deflate") { plain, random in
            let bytes = Compressed.zlib(plain)
            return Array(bytes.prefix(random.below(bytes.count)))
        },
        coded("corrupted zlib", "deflate") { plain, random in
            var bytes = Compressed.zlib(plain)
            bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
            return bytes
        },
        .init("coding of an empty response") { draft, _ in
            draft.statusLine = [UInt8](wire: "HTTP/1.1 204 No Content") + .lineEnd
            draft.addHeader("Content-Encoding: gzip")
        },
    ]

    /// Changes single bytes, most of them in the header section.
    static func changeBytes(_ bytes: inout [UInt8], headCount: Int, _ random: inout WireRandom) {
        guard !bytes.isEmpty else { return }
        let index = random.below(random.chance(60) ? min(headCount, bytes.count) : bytes.count)
        let byte: UInt8 = random.pick(0, 0x0D, 0x0A, 0x20, 0x09, 0x3A, 0x2C, 0x3B, 0x30, 0x35, 0x66, 0x7F, 0x80, 0xFF)
        switch random.below(5) {
        case 0: bytes[index] = byte
        case 1: bytes.insert(byte, at: index)
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(contentsOf: bytes[index...].prefix(1 + random.below(40)), at: index)
        default: bytes.swapAt(index, random.below(bytes.count))
        }
    }
}
