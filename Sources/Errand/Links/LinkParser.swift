import ErrandSupport

/// Reads one `Link` field's value byte by byte (RFC 8288, section 3 and appendix B.2 and B.3), in one pass.
///
/// Line folds count as white space. An unclosed quote reaches to the end of the value, as appendix B.4 has it.
struct LinkParser {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// The next link; nil at the end. What does not start with `<`, or never closes it, is skipped.
    mutating func next() -> LinkHeader.Link? {
        skipSeparators()
        while let byte = current {
            if byte == UInt8(ascii: "<"), let target = target() {
                let link = LinkHeader.Link(target: target, parameters: parameters())
                skipToComma()
                return link
            }
            skipToComma()
            skipSeparators()
        }
        return nil
    }

    private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

    /// Reads `<target>`; only a closed one counts, so that what was cut off never becomes an address.
    private mutating func target() -> String? {
        guard let end = bytes[place...].firstIndex(of: UInt8(ascii: ">")) else {
            place = bytes.count
            return nil
        }
        defer { place = end + 1 }
        return String(decoding: bytes[(place + 1)..<end], as: UTF8.self).trimmed()
    }

    private mutating func parameters() -> [LinkHeader.Link.Parameter] {
        var parameters: [LinkHeader.Link.Parameter] = []
        skipSpace()
        while skip(";") {
            skipSpace()
            let name = text { "=;,".utf8.contains($0) }
            if skip("=") {
                skipSpace()
                let value = skip("\"") ? QuotedString.rest(of: bytes, from: &place) : text { ";,".utf8.contains($0) }
                if !name.isEmpty { parameters.append(.init(name, value)) }
            } else if !name.isEmpty {
                parameters.append(.init(name, ""))
            }
            skipSpace()
        }
        return parameters
    }

    /// The text up to one of the marks, without the white space around it.
    private mutating func text(until isMark: (UInt8) -> Bool) -> String {
        let start = place
        while let byte = current, !isMark(byte) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self).trimmed()
    }

    /// Goes to the next comma that is not quoted.
    private mutating func skipToComma() {
        while let byte = current, byte != UInt8(ascii: ",") {
            place += 1
            if byte == UInt8(ascii: "\"") { _ = QuotedString.rest(of: bytes, from: &place) }
        }
    }

    /// Goes behind white space and commas: empty elements mean nothing (RFC 9110, section 5.6.1.2).
    private mutating func skipSeparators() {
        while let byte = current, byte == UInt8(ascii: ",") || byte.isLinkSpace { place += 1 }
    }

    private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: mark) else { return false }
        place += 1
        return true
    }

    private mutating func skipSpace() {
        while current?.isLinkSpace == true { place += 1 }
    }
}

extension UInt8 {
    fileprivate var isLinkSpace: Bool { " \t\r\n".utf8.contains(self) }
}

/// A value such as `UTF-8'de'letztes%20Kapitel` (RFC 8187, section 3.2).
enum ExtendedValue {
    /// The text; nil where the form, the charset or an escape is wrong.
    static func text(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return String(parts[2]).removingPercentEncoding
    }
}
