/// One way to mutate a response.
struct WireMutation: Sendable {
    let name: String
    let apply: @Sendable (inout WireDraft, inout WireRandom) -> Void

    init(_ name: String, _ apply: @escaping @Sendable (inout WireDraft, inout WireRandom) -> Void) {
        self.name = name
        self.apply = apply
    }

    /// The mutations by kind. Each kind is equally likely, regardless of its number of mutations.
    static let kinds: [[WireMutation]] = [statusLines, headers, lengths, codings, chunks, contentCodings, interims]
}

extension WireMutation {
    static let statusLines: [WireMutation] = [
        .init("status line") { draft, random in
            let line = random.pick(
                "HTTP/1.1 200", "HTTP/1.1  200 OK", "HTTP/1.1\t200 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 20 OK",
                "HTTP/1.1 099 Low", "HTTP/1.1 600 High", "HTTP/1.1 999 ", "HTTP/1.1 abc OK", "HTTP/1.1 200OK",
                "HTTP/1.1200 OK", "HTTP/2 200 OK", "HTTP/3.0 200 OK", "HTTP/0.9 200 OK", "HTTP/1.2 200 OK",
                "HTTP/11 200 OK", "http/1.1 200 OK", "ICY 200 OK", "HTTP/1.1", "", " HTTP/1.1 200 OK", "garbage",
                "HTTP/1.1 -20 OK", "HTTP/1.1 200 O\u{0}K", "HTTP/1.1 200 O\rK", "HTTP/1.1 2\u{0}0 OK")
            draft.statusLine = [UInt8](wire: line) + .lineEnd
        },
        .init("long reason") { draft, random in
            let size = random.pick(1_000, 9_000, 70_000)
            draft.statusLine = [UInt8](wire: "HTTP/1.1 200 " + String(repeating: "r", count: size)) + .lineEnd
        },
        .init("second status line") { draft, _ in draft.statusLine += draft.statusLine },
        .init("bytes before the status line") { draft, random in
            draft.prefix += [UInt8](wire: random.pick("\r\n", "\r\n\r\n", "\n", "x", " ", "\u{0}", "HTTP/1.1 200"))
        },
    ]

    static let headers: [WireMutation] = [
        .init("line endings") { draft, random in
            guard !draft.headerLines.isEmpty else { return draft.headEnd = [0x0A] }
            let index = random.below(draft.headerLines.count)
            let end: [UInt8] = random.pick([0x0A], [0x0D], [0x0D, 0x0D, 0x0A], [0x0A, 0x0D], [])
            draft.headerLines[index] = draft.headerLines[index].dropLast(2) + end
        },
        .init("all lines end with LF") { draft, _ in
            draft.headerLines = draft.headerLines.map { $0.dropLast(2) + [0x0A] }
            draft.headEnd = [0x0A]
        },
        .init("malformed header line") { draft, random in
            let line = random.pick(
                "no colon", ": no name", "a b: space", "X-A : space", "Content-Length : 3", "Content-Length\t: 3",
                "Transfer-Encoding : chunked", "(x): 1", "\u{0}X: 1", "X-\u{0}: 1", "é: 1", ":", " leading: 1",
                "HTTP/1.1 200 OK", "Content-Length\u{0}: 3", "Content-Encoding : gzip")
            draft.headerLines.insert([UInt8](wire: line) + .lineEnd, at: random.below(draft.headerLines.count + 1))
        },
        .init("folded line") { draft, random in
            guard let index = draft.headerLines.indices.randomElement(using: &random) else { return }
            let fold = random.pick("\r\n 1", "\r\n\tx", "\r\n ", "\r\n \r\n ", "\r\n, chunked", "\r\n  5")
            draft.headerLines[index] = draft.headerLines[index].dropLast(2) + [UInt8](wire: fold) + .lineEnd
        },
        .init("control characters") { draft, random in
            let line = random.pick(
                "X-A: a\u{0}b", "X-A: a\rb", "X-A: \u{1}", "X-A: a\u{7F}", "X-A: a\rContent-Length: 3", "X-A: \r",
                "Content-Length: 1\u{0}0", "Set-Cookie: a=\u{0}; b")
            draft.headerLines.insert([UInt8](wire: line) + .lineEnd, at: random.below(draft.headerLines.count + 1))
        },
        .init("duplicate line") { draft, random in
            guard let line = draft.headerLines.randomElement(using: &random) else { return }
            draft.headerLines.insert(line, at: random.below(draft.headerLines.count + 1))
        },
        .init("huge line") { draft, random in
            let size = random.pick(8_000, 17_000, 99_000, 103_000, 300_000)
            draft.addHeader("X-Huge: " + String(repeating: "h", count: size))
        },
        .init("many lines") { draft, random in
            let line = [UInt8](wire: "X-Many: 1") + .lineEnd
            draft.headerLines += Array(repeating: line, count: random.pick(100, 300, 1_000))
        },
        .init("no end of the header section") { draft, random in
            draft.headEnd = random.pick([], [0x0D], [0x0D, 0x0D, 0x0A])
        },
    ]

    static let interims: [WireMutation] = [
        .init("many interim responses") { draft, random in
            for _ in 0..<random.pick(5, 20, 40) { draft.addInterims(&random) }
        },
        .init("interim response with framing") { draft, random in
            let line = random.pick("Content-Length: 5", "Transfer-Encoding: chunked", "Content-Length: x", "no field")
            draft.prefix += [UInt8](wire: "HTTP/1.1 103 Early Hints\r\n\(line)\r\n\r\n")
        },
        .init("interim response only") { draft, random in
            draft.addInterims(&random)
            draft.statusLine = []
            draft.headerLines = []
            draft.headEnd = []
            draft.body = .plain([])
        },
        .init("malformed interim response") { draft, random in
            let text = random.pick(
                "HTTP/1.1 199 \r\n\r\n", "HTTP/1.1 100 Continue\r\n", "HTTP/1.1 100\n\n", "100\r\n\r\n")
            draft.prefix += [UInt8](wire: text)
        },
    ]
}
