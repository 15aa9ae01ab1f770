import ErrandSupport

/// The status line and headers of a response. Parsed strictly, so that no intermediary can make two recipients see
/// two different responses (RFC 9112).
package struct MessageHead: Sendable, Equatable {
    /// The status code, from 100 to 999.
    package var status: Int
    /// The reason phrase of the server. May be empty.
    package var reason: String
    package var headers: HeaderFields

    /// The maximum number of header lines: 2,000.
    package static let lineLimit: Int = 2_000

    /// Parses a status line and the headers after it, up to and including the empty line (RFC 9112, sections 4 and
    /// 5).
    ///
    /// The reason phrase may be missing, together with the space before it. A bare line feed also ends a line
    /// (section 2.2).
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse``.
    package init(_ bytes: [UInt8]) throws(ServiceError) {
        self = try bytes.withUnsafeBufferPointer { bytes throws(ServiceError) in
            var lines = MessageLines(bytes)
            guard let first = lines.next() else {
                throw Self.flaw("expected a status line, found an empty header section")
            }
            let (status, reason) = try Self.statusLine(first)
            return MessageHead(status: status, reason: reason, headers: try Self.headers(&lines))
        }
    }

    private init(status: Int, reason: String, headers: HeaderFields) {
        self.status = status
        self.reason = reason
        self.headers = headers
    }

    /// Parses header lines without a status line, such as trailers.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse``.
    package static func headers(in bytes: [UInt8]) throws(ServiceError) -> HeaderFields {
        guard !bytes.isEmpty else { return [:] }
        return try bytes.withUnsafeBufferPointer { bytes throws(ServiceError) in
            var lines = MessageLines(bytes)
            return try headers(&lines)
        }
    }

    private typealias Line = Slice<UnsafeBufferPointer<UInt8>>

    private static func flaw(_ reason: String) -> ServiceError { ServiceError(.badResponse, reason) }

    private static func statusLine(_ line: Line) throws(ServiceError) -> (Int, String) {
        guard line.starts(with: "HTTP/".utf8), let blank = line.firstIndex(of: UInt8(ascii: " ")),
            isVersion(line[(line.startIndex + 5)..<blank])
        else { throw flaw("invalid status line: expected HTTP/, a version, a space and a status code") }
        let rest = line[(blank + 1)...]
        let digits = rest.prefix { $0.isDigit }
        let reason = rest[digits.endIndex...]
        guard digits.count == 3, reason.first == nil || reason.first == UInt8(ascii: " ") else {
            throw flaw("invalid status code: expected three digits")
        }
        let status = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard status >= 100 else { throw flaw("invalid status code \(status): expected 100 to 999") }
        guard !reason.contains(where: \.isCarriageReturnOrNUL) else {
            throw flaw("invalid reason phrase: found a bare CR or NUL")
        }
        return (status, text(reason.dropFirst()))
    }

    /// Returns whether a version is one digit, or two with a dot (RFC 9112, section 2.3). libcurl uses one digit for
    /// HTTP/2 and HTTP/3.
    private static func isVersion(_ text: Line) -> Bool {
        guard let first = text.first, let last = text.last, first.isDigit, last.isDigit else { return false }
        return text.count == 1 || text.count == 3 && text.dropFirst().first == UInt8(ascii: ".")
    }

    private static func headers(_ lines: inout MessageLines) throws(ServiceError) -> HeaderFields {
        var headers: [HeaderFields.Field] = []
        headers.reserveCapacity(16)
        var folded: [Int: [String]] = [:]
        while let line = lines.next(), let first = line.first {
            guard headers.count < lineLimit else {
                throw flaw("expected at most \(lineLimit) header lines, found more")
            }
            if first.isBlank {
                // A folded line continues the previous line (section 5.2). The lines are joined at the end.
                // Otherwise, a value would be copied for each of its lines.
                guard !headers.isEmpty else { throw flaw("the header section begins with a folded line") }
                folded[headers.count - 1, default: []].append(try value(line))
            } else {
                headers.append(try header(line))
            }
        }
        for (index, lines) in folded {
            let parts = [headers[index].value] + lines
            headers[index] = HeaderFields.Field(headers[index].name, parts.joined(separator: " "))
        }
        return HeaderFields(headers)
    }

    private static func header(_ line: Line) throws(ServiceError) -> HeaderFields.Field {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw flaw("invalid header line: expected a colon after the name")
        }
        let name = line[..<colon]
        guard !name.isEmpty, name.allSatisfy(\.isTokenByte) else {
            throw flaw("invalid header name: expected a token")
        }
        return HeaderFields.Field(text(name), try value(line[(colon + 1)...]))
    }

    private static func value(_ bytes: Line) throws(ServiceError) -> String {
        var value = bytes
        while let first = value.first, first.isBlank { value = value.dropFirst() }
        while let last = value.last, last.isBlank { value = value.dropLast() }
        // RFC 9110, section 5.5.
        guard !value.contains(where: \.isCarriageReturnOrNUL) else {
            throw flaw("invalid header value: found a bare CR or NUL")
        }
        return text(value)
    }

    /// Decodes text as UTF-8 if it is valid, otherwise as ISO 8859-1, which never fails and was used in headers
    /// (RFC 9110, section 5.5).
    ///
    /// Text that would take quadratic time to compare is also decoded as ISO 8859-1.
    private static func text(_ bytes: Line) -> String {
        let bytes = UnsafeBufferPointer(rebasing: bytes)
        // ASCII needs no validation, which takes as long as all other processing of a header.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        let utf8 = CombiningMarks.exceedLimit(in: bytes, escapes: false) ? nil : String(validUTF8: bytes)
        return utf8
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

/// An iterator of lines without their terminators: CR LF, or LF alone.
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
    /// Whether some parsers treat the byte as the end of a line or of the text.
    fileprivate var isCarriageReturnOrNUL: Bool { self == 0 || self == UInt8(ascii: "\r") }
}
