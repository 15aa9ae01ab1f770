import Errand
import ErrandSupport

/// Generates valid responses, which every client must accept. They use the complete grammar and nothing else.
extension WireDraft {
    init(valid random: inout WireRandom, marker: String) {
        isHead = random.chance(4)
        let minor = random.chance(10) ? 0 : 1
        let status = random.pick(200, 200, 200, 200, 200, 201, 204, 206, 304, 400, 404, 410, 500, 503)
        let reason = random.pick(reasonPhrase(status), reasonPhrase(status), "", "a  long reason: with, marks")
        statusLine = [UInt8](wire: "HTTP/1.\(minor) \(status) \(reason)") + .lineEnd
        if minor == 1, random.chance(12) { addInterims(&random) }
        for _ in 0..<random.below(6) { addPlainHeader(&random) }
        let hasBody = status != 204 && status != 304
        frame(coded(Self.content(&random, marker), &random), hasBody, canChunk: minor == 1, &random)
        if random.chance(30) { headerLines.shuffle(using: &random) }
    }

    private static func content(_ random: inout WireRandom, _ marker: String) -> [UInt8] {
        switch random.below(20) {
        case 0: return []
        case 1: return random.element(of: DeflateSample.all)?.plain ?? []
        default: break
        }
        let size = random.chance(10) ? random.below(30_000) : random.below(1_500)
        var line = [UInt8](wire: marker)
        for _ in 0..<random.below(60) {
            line.append(UInt8(random.chance(90) ? 32 + random.below(95) : random.below(256)))
        }
        var content = line
        while content.count < size { content += line }
        return content
    }

    private mutating func coded(_ content: [UInt8], _ random: inout WireRandom) -> [UInt8] {
        let blockSize = random.pick(65_535, 65_535, 1_000, 1 + random.below(200))
        switch random.below(10) {
        case 0...1:
            addHeader("Content-Encoding: " + random.pick("gzip", "x-gzip", "GZIP"))
            let flags = random.chance(20) ? UInt8(random.below(32)) : 0
            return Compressed.gzip(content, flags: flags, blockSize: blockSize)
        case 2:
            addHeader("Content-Encoding: deflate")
            return Compressed.zlib(content, blockSize: blockSize)
        default:
            return content
        }
    }

    private mutating func frame(
        _ bytes: [UInt8], _ hasBody: Bool, canChunk: Bool, _ random: inout WireRandom
    ) {
        guard hasBody else { return }
        switch random.below(10) {
        case 0...4:
            let zeros = String(repeating: "0", count: random.chance(5) ? random.below(6) : 0)
            addHeader(random.pick("Content-Length", "content-length") + ": \(zeros)\(bytes.count)")
            body = .plain(bytes)
        case 5...8 where canChunk:
            addHeader("Transfer-Encoding: " + random.pick("chunked", "chunked", "Chunked"))
            body = Self.chunked(bytes, &random)
        default:
            if random.chance(50) { addHeader("Connection: close") }
            body = .plain(bytes)
        }
    }

    private static func chunked(_ bytes: [UInt8], _ random: inout WireRandom) -> Body {
        var chunks: [Chunk] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let size = random.chance(40) ? rest.count : 1 + random.below(min(rest.count, 2_000))
            let zeros = String(repeating: "0", count: random.chance(10) ? random.below(4) : 0)
            let digits = String(size, radix: 16, uppercase: random.chance(30))
            let suffix = random.chance(85) ? "" : random.pick(";a=b", ";name", #";q="x y""#, " ; a = b")
            chunks.append(Chunk(line: [UInt8](wire: zeros + digits + suffix), data: Array(rest.prefix(size))))
            rest = rest.dropFirst(size)
        }
        var trailers: [[UInt8]] = []
        if random.chance(15) {
            for number in 0...random.below(3) { trailers.append([UInt8](wire: "X-Trailer-\(number): sum") + .lineEnd) }
        }
        let last = random.chance(90) ? "0" : random.pick("000", "0;a=b")
        return .chunked(chunks, last: [UInt8](wire: last) + .lineEnd, trailers: trailers, end: .lineEnd)
    }

    mutating func addInterims(_ random: inout WireRandom) {
        for _ in 0...random.below(3) {
            let headers = random.chance(50) ? "" : "Link: </style.css>; rel=preload\r\nX-Early: 1\r\n"
            prefix += [UInt8](wire: "HTTP/1.1 \(random.pick("100 Continue", "102 Processing", "103 Early Hints"))\r\n")
            prefix += [UInt8](wire: headers) + .lineEnd
        }
    }

    private mutating func addPlainHeader(_ random: inout WireRandom) {
        let name = random.pick("Date", "Server", "Content-Type", "X-Request-Id", "Cache-Control", "x!#$%&'*+-.^_`|~9")
        let value = random.pick(
            "", "x", "text/plain; charset=utf-8", #"a, "b\"c", d"#, String(repeating: "v", count: 300))
        let before = random.pick(" ", " ", " ", "", "  ", "\t")
        var line = [UInt8](wire: name + ":" + before + value + random.pick("", "", "", " ", "\t "))
        // Bytes above ASCII are allowed, in an unspecified character set (RFC 9110, section 5.5).
        if random.chance(5) { line += [0xE9, 0xFF] }
        headerLines.append(line + .lineEnd)
    }
}
