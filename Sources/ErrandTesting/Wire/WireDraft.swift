/// A response as separate parts that mutations can change before it is serialized.
struct WireDraft {
    /// The bytes before the status line: interim responses.
    var prefix: [UInt8] = []
    /// The status line. It includes its line ending, like each of the header lines.
    var statusLine: [UInt8] = []
    var headerLines: [[UInt8]] = []
    var headEnd: [UInt8] = .lineEnd
    var body = Body.plain([])
    var isHead = false
    var isReset = false

    enum Body {
        case plain([UInt8])
        case chunked([Chunk], last: [UInt8], trailers: [[UInt8]], end: [UInt8])
    }

    struct Chunk {
        /// The size line without its line ending.
        var line: [UInt8]
        var lineEnd: [UInt8] = .lineEnd
        var data: [UInt8]
        var dataEnd: [UInt8] = .lineEnd
    }

    var headerBytes: [UInt8] { prefix + statusLine + headerLines.reduce(into: []) { $0 += $1 } + headEnd }

    var bodyBytes: [UInt8] {
        switch body {
        case .plain(let bytes): bytes
        case .chunked(let chunks, let last, let trailers, let end):
            chunks.reduce(into: []) { $0 += $1.line + $1.lineEnd + $1.data + $1.dataEnd } + last
                + trailers.reduce(into: []) { $0 += $1 } + end
        }
    }

    var bytes: [UInt8] { isHead ? headerBytes : headerBytes + bodyBytes }

    mutating func addHeader(_ text: String) {
        headerLines.append([UInt8](wire: text) + .lineEnd)
    }

    /// The index of the first line of a header.
    func index(of name: String) -> Int? {
        headerLines.firstIndex { $0.prefix { $0 != 0x3A }.lowercasedText == name }
    }

    /// Replaces the first line of a header, or appends the line if there is none.
    mutating func replace(_ name: String, by line: [UInt8]) {
        if let index = index(of: name) { headerLines[index] = line } else { headerLines.append(line) }
    }

    mutating func remove(_ name: String) {
        headerLines.removeAll { $0.prefix { $0 != 0x3A }.lowercasedText == name }
    }
}
