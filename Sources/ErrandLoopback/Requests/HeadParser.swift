/// Parses a complete header section. Rejects syntax that two parsers could interpret differently.
enum HeadParser {
    /// Parses the request line and the header lines, each with its line ending, without the final empty line.
    static func parse(_ bytes: [UInt8]) throws(Rejection) -> RequestHead {
        let lineEnd = bytes.firstIndex(of: .carriageReturn) ?? bytes.endIndex
        let line = try RequestLine(bytes[..<lineEnd])
        let spans = try HeaderLines.parse(bytes, from: min(lineEnd + 2, bytes.count))
        var rules = MessageRules(version: line.version)
        for span in spans { try rules.note(name: bytes[span.name], value: bytes[span.value]) }
        return RequestHead(
            method: line.method, target: line.target, version: line.version,
            headers: HeaderBlock(bytes: bytes, spans: spans), framing: try rules.framing(),
            keepsAlive: rules.keepsAlive, expectsContinue: rules.expectsContinue)
    }
}

/// A request line, such as `GET /path HTTP/1.1`.
struct RequestLine {
    let method: String
    let target: String
    let version: LoopbackRequest.Version

    init(_ line: ArraySlice<UInt8>) throws(Rejection) {
        guard let first = line.firstIndex(of: .space), let last = line.lastIndex(of: .space), first < last else {
            throw .badRequest
        }
        let method = line[..<first]
        let target = line[(first + 1)..<last]
        guard !method.isEmpty, method.allSatisfy(\.isTokenCharacter), Self.isTarget(target, of: method) else {
            throw .badRequest
        }
        version = try Self.version(line[(last + 1)...])
        self.method = String(decoding: method, as: UTF8.self)
        self.target = String(decoding: target, as: UTF8.self)
    }

    /// Whether the target has one of the four forms of RFC 9112, section 3.2.
    private static func isTarget(_ target: ArraySlice<UInt8>, of method: ArraySlice<UInt8>) -> Bool {
        guard let first = target.first, target.allSatisfy(\.isTargetCharacter) else { return false }
        if method.elementsEqual("CONNECT".utf8) { return target.contains(.colon) }
        if first == UInt8(ascii: "/") { return true }
        if first == UInt8(ascii: "*") { return target.count == 1 }
        return target.starts(with: "http://".utf8) || target.starts(with: "https://".utf8)
    }

    private static func version(_ text: ArraySlice<UInt8>) throws(Rejection) -> LoopbackRequest.Version {
        let bytes = Array(text)
        guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), bytes[6] == UInt8(ascii: "."),
            let major = bytes[5].decimalDigitValue, let minor = bytes[7].decimalDigitValue
        else { throw .badRequest }
        guard major == 1 else { throw .unknownVersion }
        return LoopbackRequest.Version(major: major, minor: minor)
    }
}

/// Parses `Name: value` lines of header and trailer sections.
enum HeaderLines {
    /// Finds the headers in lines that each end with CR LF.
    static func parse(_ bytes: [UInt8], from start: Int) throws(Rejection) -> [HeaderBlock.Span] {
        var spans: [HeaderBlock.Span] = []
        spans.reserveCapacity(12)
        var position = start
        while position < bytes.count {
            let end = bytes[position...].firstIndex(of: .carriageReturn) ?? bytes.endIndex
            spans.append(try header(bytes, position..<end))
            position = end + 2
        }
        return spans
    }

    private static func header(_ bytes: [UInt8], _ line: Range<Int>) throws(Rejection) -> HeaderBlock.Span {
        var colon = line.lowerBound
        while colon < line.upperBound, bytes[colon].isTokenCharacter { colon += 1 }
        guard colon > line.lowerBound, colon < line.upperBound, bytes[colon] == .colon else { throw .badRequest }
        var start = colon + 1
        var end = line.upperBound
        while start < end, bytes[start].isBlank { start += 1 }
        while end > start, bytes[end - 1].isBlank { end -= 1 }
        for index in start..<end where !bytes[index].isHeaderValueCharacter { throw .badRequest }
        return HeaderBlock.Span(name: line.lowerBound..<colon, value: start..<end)
    }
}
