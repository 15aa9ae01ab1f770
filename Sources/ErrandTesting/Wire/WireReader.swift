import Errand

/// The reference parser: a strict HTTP/1.1 client that parses all bytes of one connection and records its choices.
///
/// It is implemented from RFC 9112 only, and shares no code with the parsers that it checks. It is deliberately simple
/// and slow: it gets the complete input before it starts.
struct WireReader {
    /// The choices of a client that change the body.
    struct Choice {
        var countsSpacedNames = false
        var emptyCodingIsNone = false
    }

    let bytes: [UInt8]
    let isHead: Bool
    /// Whether the connection ended with an orderly close after the bytes, not with a reset.
    let endsInOrder: Bool
    let choice: Choice

    var position = 0
    var freedoms: Set<WireExpectation.Freedom> = []
    var endsByItself = true

    init(_ bytes: [UInt8], isHead: Bool, endsInOrder: Bool, choice: Choice = Choice()) {
        self.bytes = bytes
        self.isHead = isHead
        self.endsInOrder = endsInOrder
        self.choice = choice
    }

    /// Parses the final response. Interim responses before it have no body (RFC 9110, section 15.2).
    mutating func response() throws(WireFlaw) -> WireExpectation.Response {
        var head = try readHead()
        while (100..<200).contains(head.status) { head = try readHead() }
        let body = try content(of: head)
        return WireExpectation.Response(status: head.status, body: Data(body))
    }

    /// Returns the next line without its line ending. The input must not end within a line.
    mutating func line(_ part: String) throws(WireFlaw) -> ArraySlice<UInt8> {
        guard let end = bytes[position...].firstIndex(of: 0x0A) else {
            throw WireFlaw("the connection ended in \(part)")
        }
        let line = bytes[position..<end]
        position = end + 1
        guard line.last == 0x0D else {
            freedoms.insert(.bareLineFeed)
            return line
        }
        return line.dropLast()
    }
}

extension WireReader {
    struct Head {
        var status = 0
        var minorVersion = 1
        var headers: [(name: String, value: [UInt8])] = []

        /// The values of a header, or `nil` if the header is absent.
        func values(_ name: String) -> [[UInt8]]? {
            let values = headers.filter { $0.name == name }.map(\.value)
            return values.isEmpty ? nil : values
        }

        /// The elements of all lines of a list header.
        func list(_ name: String) -> [[UInt8]]? { values(name).map { $0.flatMap(\.listElements) } }
    }

    private mutating func readHead() throws(WireFlaw) -> Head {
        var first = try line("the header section")
        while first.isEmpty {
            freedoms.insert(.emptyLineFirst)
            first = try line("the header section")
        }
        var head = Head()
        try readStatusLine(first, into: &head)
        while true {
            let line = try line("the header section")
            guard let first = line.first else { return head }
            if first == 0x20 || first == 0x09 {
                fold(line, into: &head)
            } else {
                addHeader(line, to: &head)
            }
        }
    }

    /// Parses a status line, such as `HTTP/1.1 200 OK` (RFC 9112, section 4).
    private mutating func readStatusLine(_ line: ArraySlice<UInt8>, into head: inout Head) throws(WireFlaw) {
        let noStatusLine = WireFlaw("the status line is malformed")
        guard line.prefix(5).lowercasedText == "http/" else { throw noStatusLine }
        if !line.starts(with: "HTTP/".utf8) { freedoms.insert(.statusLine) }
        let rest = line.dropFirst(5)
        let version = rest.prefix { $0 != 0x20 && $0 != 0x09 }
        switch String(decoding: version, as: UTF8.self) {
        case "1.1": break
        case "1.0": head.minorVersion = 0
        case let text where version.count == 1 && "23".contains(text): freedoms.insert(.version)
        default:
            guard version.count == 3, version.dropFirst().first == 0x2E, version.first?.hexDigit ?? 10 < 10,
                version.last?.hexDigit ?? 10 < 10
            else { throw noStatusLine }
            freedoms.insert(.version)
        }
        let blanks = rest.dropFirst(version.count).prefix { $0 == 0x20 || $0 == 0x09 }
        if blanks.count != 1 || blanks.first != 0x20 { freedoms.insert(.statusLine) }
        let tail = rest.dropFirst(version.count + blanks.count)
        let digits = tail.prefix { (0x30...0x39).contains($0) }
        guard digits.count == 3, let status = digits.decimalValue else { throw noStatusLine }
        head.status = status
        if !(100..<600).contains(status) || status == 101 { freedoms.insert(.status) }
        // The space after the status is required even without a reason phrase.
        if tail.dropFirst(3).first != 0x20 || tail.holdsControls { freedoms.insert(.statusLine) }
    }

    private mutating func addHeader(_ line: ArraySlice<UInt8>, to head: inout Head) {
        let colon = line.firstIndex(of: 0x3A) ?? line.endIndex
        let name = line[..<colon]
        var isCounted = colon < line.endIndex && name.isWireToken
        if !isCounted, colon < line.endIndex, name.trimmedOfBlanks.isWireToken {
            freedoms.insert(.spacedName)
            isCounted = choice.countsSpacedNames
        } else if !isCounted {
            freedoms.insert(.malformedHeader)
        }
        let key = isCounted ? name.trimmedOfBlanks.lowercasedText : ""
        head.headers.append((key, value(line[colon...].dropFirst())))
    }

    private mutating func fold(_ line: ArraySlice<UInt8>, into head: inout Head) {
        guard var last = head.headers.popLast() else {
            freedoms.insert(.blankBeforeHeaders)
            return
        }
        freedoms.insert(.folding)
        last.value = (last.value + [0x20] + value(line)).trimmedOfBlanks
        head.headers.append(last)
    }

    /// A header value as a client may use it: CR, LF and NUL are replaced by spaces (RFC 9110, section 5.5).
    private mutating func value(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.holdsControls else { return bytes.trimmedOfBlanks }
        freedoms.insert(.control)
        return bytes.map { $0 == 0x0D || $0 == 0 ? 0x20 : $0 }.trimmedOfBlanks
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes contain a character that is invalid in a header value (RFC 9110, section 5.5).
    var holdsControls: Bool {
        // A plain loop, because lines may be long, and debug builds would call a closure for each byte.
        withUnsafeBufferPointer { bytes in
            for byte in bytes where byte < 0x20 && byte != 0x09 || byte == 0x7F { return true }
            return false
        }
    }
}
