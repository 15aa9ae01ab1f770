import ErrandSupport

/// Parses the value of one `Link` header in one pass over its bytes (RFC 8288, section 3 and appendix B.2 and B.3).
///
/// Line folds count as white space. An unclosed quoted string extends to the end of the value (appendix B.4).
struct LinkParser {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Returns the next link, or `nil` at the end. Elements that do not start with `<`, or do not close it, are
    /// skipped.
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

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Parses `<target>`. An unclosed target is ignored, so that a truncated target never becomes a URL.
    private mutating func target() -> String? {
        guard let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) else {
            index = bytes.count
            return nil
        }
        defer { index = end + 1 }
        return String(decoding: bytes[(index + 1)..<end], as: UTF8.self).trimmed()
    }

    private mutating func parameters() -> [LinkHeader.Link.Parameter] {
        var parameters: [LinkHeader.Link.Parameter] = []
        skipSpace()
        while skip(";") {
            skipSpace()
            let name = text { "=;,".utf8.contains($0) }
            if skip("=") {
                skipSpace()
                let value = skip("\"") ? QuotedString.rest(of: bytes, from: &index) : text { ";,".utf8.contains($0) }
                if !name.isEmpty { parameters.append(.init(name, value)) }
            } else if !name.isEmpty {
                parameters.append(.init(name, ""))
            }
            skipSpace()
        }
        return parameters
    }

    /// Returns the text before the next delimiter, without surrounding white space.
    private mutating func text(until isMark: (UInt8) -> Bool) -> String {
        let start = index
        while let byte = current, !isMark(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self).trimmed()
    }

    /// Advances to the next comma outside of a quoted string.
    private mutating func skipToComma() {
        while let byte = current, byte != UInt8(ascii: ",") {
            index += 1
            if byte == UInt8(ascii: "\"") { _ = QuotedString.rest(of: bytes, from: &index) }
        }
    }

    /// Skips white space and commas, because empty list elements are ignored (RFC 9110, section 5.6.1.2).
    private mutating func skipSeparators() {
        while let byte = current, byte == UInt8(ascii: ",") || byte.isLinkSpace { index += 1 }
    }

    private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while current?.isLinkSpace == true { index += 1 }
    }
}

extension UInt8 {
    fileprivate var isLinkSpace: Bool { " \t\r\n".utf8.contains(self) }
}
