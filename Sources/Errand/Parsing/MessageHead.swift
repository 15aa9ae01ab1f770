import ErrandSupport

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
    package init(_ bytes: [UInt8]) throws(ServiceError) {
        self = try bytes.withUnsafeBufferPointer { bytes throws(ServiceError) in
            var lines = MessageLines(bytes)
            guard let first = lines.next() else { throw Self.flaw("the answer has no status line") }
            let (status, reason) = try Self.statusLine(first)
            return MessageHead(status: status, reason: reason, fields: try Self.fields(&lines))
        }
    }

    private init(status: Int, reason: String, fields: HeaderFields) {
        self.status = status
        self.reason = reason
        self.fields = fields
    }

    /// Reads field lines alone, such as trailers.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse``.
    package static func fields(in bytes: [UInt8]) throws(ServiceError) -> HeaderFields {
        guard !bytes.isEmpty else { return [:] }
        return try bytes.withUnsafeBufferPointer { bytes throws(ServiceError) in
            var lines = MessageLines(bytes)
            return try fields(&lines)
        }
    }

    private typealias Line = Slice<UnsafeBufferPointer<UInt8>>

    private static func flaw(_ reason: String) -> ServiceError { ServiceError(.badResponse, reason) }

    private static func statusLine(_ line: Line) throws(ServiceError) -> (Int, String) {
        guard line.starts(with: "HTTP/".utf8), let blank = line.firstIndex(of: UInt8(ascii: " ")),
            isVersion(line[(line.startIndex + 5)..<blank])
        else { throw flaw("the answer does not begin with a status line") }
        let rest = line[(blank + 1)...]
        let digits = rest.prefix { $0.isDigit }
        let reason = rest[digits.endIndex...]
        guard digits.count == 3, reason.first == nil || reason.first == UInt8(ascii: " ") else {
            throw flaw("the status is not of three digits")
        }
        let status = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard status >= 100 else { throw flaw("the status \(status) is none") }
        guard !reason.contains(where: \.isHidden) else { throw flaw("the reason holds a bare CR or NUL") }
        return (status, text(reason.dropFirst()))
    }

    /// One digit, or two with a point (RFC 9112, section 2.3); libcurl names HTTP/2 and 3 in the short form.
    private static func isVersion(_ text: Line) -> Bool {
        guard let first = text.first, let last = text.last, first.isDigit, last.isDigit else { return false }
        return text.count == 1 || text.count == 3 && text.dropFirst().first == UInt8(ascii: ".")
    }

    private static func fields(_ lines: inout MessageLines) throws(ServiceError) -> HeaderFields {
        var fields: [HeaderFields.Field] = []
        fields.reserveCapacity(16)
        var folded: [Int: [String]] = [:]
        while let line = lines.next(), let first = line.first {
            guard fields.count < lineLimit else { throw flaw("the head has more than \(lineLimit) lines") }
            if first.isBlank {
                // A folded line goes on where the one before ended (section 5.2); put together at the end, as each
                // value would else be copied for every line that it has.
                guard !fields.isEmpty else { throw flaw("the head begins with a folded line") }
                folded[fields.count - 1, default: []].append(try value(line))
            } else {
                fields.append(try field(line))
            }
        }
        for (index, lines) in folded {
            let parts = [fields[index].value] + lines
            fields[index] = HeaderFields.Field(fields[index].name, parts.joined(separator: " "))
        }
        return HeaderFields(fields)
    }

    private static func field(_ line: Line) throws(ServiceError) -> HeaderFields.Field {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw flaw("a header line has no colon") }
        let name = line[..<colon]
        guard !name.isEmpty, name.allSatisfy(\.isTokenByte) else {
            throw flaw("a header field's name is not a token")
        }
        return HeaderFields.Field(text(name), try value(line[(colon + 1)...]))
    }

    private static func value(_ bytes: Line) throws(ServiceError) -> String {
        var value = bytes
        while let first = value.first, first.isBlank { value = value.dropFirst() }
        while let last = value.last, last.isBlank { value = value.dropLast() }
        // RFC 9110, section 5.5.
        guard !value.contains(where: \.isHidden) else {
            throw flaw("a header field's value holds a bare CR or NUL")
        }
        return text(value)
    }

    /// UTF-8 if it is valid, else ISO 8859-1, which never fails and was used in headers (RFC 9110, section 5.5).
    ///
    /// Text that takes quadratic time to compare is read as ISO 8859-1, too.
    private static func text(_ bytes: Line) -> String {
        let bytes = UnsafeBufferPointer(rebasing: bytes)
        // What is ASCII needs no check: validating is as dear as all else that is done with a field.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        let utf8 = CombiningMarks.exceedLimit(in: bytes, escapes: false) ? nil : String(validUTF8: bytes)
        return utf8
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

/// Lines without what ends them: CR LF, or LF alone.
private struct MessageLines {
    private var rest: Slice<UnsafeBufferPointer<UInt8>>

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        rest = bytes[...]
    }

    mutating func next() -> Slice<UnsafeBufferPointer<UInt8>>? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        let line = rest[..<end]
        rest = rest[min(end + 1, rest.endIndex)...]
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
    /// What some readers take for the end of a line or of the text.
    fileprivate var isHidden: Bool { self == 0 || self == UInt8(ascii: "\r") }
}
