/// An answer in parts, as mutations need it; the bytes are made of it at the end.
struct WireDraft {
    /// What stands before the status line: interim answers.
    var prefix: [UInt8] = []
    /// Each line with its end.
    var statusLine: [UInt8] = []
    var fields: [[UInt8]] = []
    var headEnd: [UInt8] = .lineEnd
    var body = Body.plain([])
    var isHead = false
    var isReset = false

    enum Body {
        case plain([UInt8])
        case chunked([Chunk], last: [UInt8], trailers: [[UInt8]], end: [UInt8])
    }

    struct Chunk {
        /// The size line without its end.
        var line: [UInt8]
        var lineEnd: [UInt8] = .lineEnd
        var data: [UInt8]
        var dataEnd: [UInt8] = .lineEnd
    }

    var headBytes: [UInt8] { prefix + statusLine + fields.reduce(into: []) { $0 += $1 } + headEnd }

    var bodyBytes: [UInt8] {
        switch body {
        case .plain(let bytes): bytes
        case .chunked(let chunks, let last, let trailers, let end):
            chunks.reduce(into: []) { $0 += $1.line + $1.lineEnd + $1.data + $1.dataEnd } + last
                + trailers.reduce(into: []) { $0 += $1 } + end
        }
    }

    var bytes: [UInt8] { isHead ? headBytes : headBytes + bodyBytes }

    mutating func addField(_ text: String) {
        fields.append([UInt8](wire: text) + .lineEnd)
    }

    /// The place of a field's first line.
    func place(of name: String) -> Int? {
        fields.firstIndex { $0.prefix { $0 != 0x3A }.lowercasedText == name }
    }

    /// Puts another line in the place of a field, or adds it.
    mutating func replace(_ name: String, by line: [UInt8]) {
        if let place = place(of: name) { fields[place] = line } else { fields.append(line) }
    }

    mutating func remove(_ name: String) {
        fields.removeAll { $0.prefix { $0 != 0x3A }.lowercasedText == name }
    }
}
