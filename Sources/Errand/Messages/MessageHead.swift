/// The head of an answer as its bytes have it: read strictly, so that nobody on the way can make two readers see two
/// answers (RFC 9112).
package struct MessageHead: Sendable, Equatable {
    /// 100 to 999.
    package var status: Int
    /// As sent; may be empty.
    package var reason: String
    package var fields: HeaderFields

    /// The most field lines that are read: 2,000.
    package static let lineLimit: Int = 2_000

    /// Reads a status line and the field lines after it, up to and with the empty line (RFC 9112, sections 4 and 5).
    ///
    /// The reason phrase may be missing, with the blank before it; bare line feeds end lines too (section 2.2).
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse``.
    package init(_ bytes: some RandomAccessCollection<UInt8>) throws(ServiceError) {
        var lines = MessageLines(bytes)
        guard let first = lines.next() else { throw Self.flaw("the answer has no status line") }
        (status, reason) = try Self.statusLine(first)
        fields = try Self.fields(&lines)
    }

    /// Reads field lines alone, such as trailers.
    package static func fields(in bytes: some RandomAccessCollection<UInt8>) throws(ServiceError) -> HeaderFields {
        var lines = MessageLines(bytes)
        return try fields(&lines)
    }

    private static func flaw(_ reason: String) -> ServiceError { ServiceError(.badResponse, reason) }

    private static func statusLine<Line: RandomAccessCollection<UInt8>>(
        _ line: Line
    ) throws(ServiceError) -> (Int, String) {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].starts(with: "HTTP/".utf8) else {
            throw flaw("the answer does not begin with a status line")
        }
        let digits = parts[1]
        guard digits.count == 3, digits.allSatisfy(\.isDigit) else { throw flaw("the status is not of three digits") }
        let status = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard status >= 100 else { throw flaw("the status \(status) is none") }
        return (status, parts.count > 2 ? text(parts[2]) : "")
    }

    private static func fields<Bytes: RandomAccessCollection<UInt8>>(
        _ lines: inout MessageLines<Bytes>
    ) throws(ServiceError) -> HeaderFields {
        var fields: [HeaderFields.Field] = []
        fields.reserveCapacity(16)
        while let line = lines.next(), !line.isEmpty {
            guard fields.count < lineLimit else { throw flaw("the head has more than \(lineLimit) lines") }
            if line.first.isBlank {
                // A folded line goes on where the one before ended (section 5.2).
                guard let last = fields.popLast() else { throw flaw("the head begins with a folded line") }
                fields.append(HeaderFields.Field(last.name, last.value + " " + (try value(line))))
            } else {
                fields.append(try field(line))
            }
        }
        return HeaderFields(fields)
    }

    private static func field<Line: RandomAccessCollection<UInt8>>(
        _ line: Line
    ) throws(ServiceError) -> HeaderFields.Field {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw flaw("a header line has no colon") }
        let name = line[..<colon]
        guard !name.isEmpty, name.allSatisfy(\.isTokenByte) else {
            throw flaw("a header field's name is not a token")
        }
        return HeaderFields.Field(text(name), try value(line[line.index(after: colon)...]))
    }

    private static func value<Line: RandomAccessCollection<UInt8>>(_ bytes: Line) throws(ServiceError) -> String {
        var value = bytes[...]
        while value.first.isBlank { value.removeFirst() }
        while value.last.isBlank { value.removeLast() }
        // RFC 9110, section 5.5.
        guard value.allSatisfy({ $0 != 0 && $0 != UInt8(ascii: "\r") }) else {
            throw flaw("a header field's value holds a bare CR or NUL")
        }
        return text(value)
    }

    /// UTF-8 where it is that, else ISO 8859-1, which never fails and was what fields held once (RFC 9110, section 5.5).
    private static func text(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

/// Lines without what ends them: CR LF, or LF alone.
package struct MessageLines<Bytes: RandomAccessCollection<UInt8>> {
    private var rest: Bytes.SubSequence

    init(_ bytes: Bytes) {
        rest = bytes[...]
    }

    mutating func next() -> Bytes.SubSequence? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        let line = rest[..<end]
        rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}

extension UInt8? {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
