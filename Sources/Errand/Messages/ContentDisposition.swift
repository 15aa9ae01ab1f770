import ErrandSupport

/// A `Content-Disposition` header: how to show a body, and the name of its file (RFC 6266).
///
/// ```swift
/// let header = ContentDisposition(#"attachment; filename="EURO rates.pdf"; filename*=UTF-8''%E2%82%AC%20rates.pdf"#)
/// header.type             // "attachment"
/// header.fileName         // "€ rates.pdf"
/// header.safeFileName     // "€ rates.pdf"
/// ```
/// Parsing never fails and takes linear time. A parameter without a value is skipped. An unterminated quoted string
/// extends to the end. If a parameter is repeated, the first one is used.
public struct ContentDisposition: Sendable, Hashable {
    /// A parameter, as the server sent it.
    public struct Parameter: Sendable, Hashable {
        /// The name in lower case, such as `filename` or `filename*`.
        public let name: String
        /// The value without quotes and backslashes. Extended values (RFC 8187) are not decoded.
        ///
        /// In a header of type `form-data`, `%22`, `%0A` and `%0D` are decoded (RFC 7578, section 4.2, and the HTML
        /// standard, section 4.10.21.8).
        public let value: String
        /// Whether the value was a quoted string, which is never an extended value (RFC 8187, section 3.2.1).
        fileprivate let isQuoted: Bool
    }

    /// The type in lower case, such as `attachment`, `inline` or `form-data`. Empty if it is missing.
    public let type: String
    /// The parameters, in order and without duplicates.
    public let parameters: [Parameter]

    /// Parses the value of a header.
    public init(_ value: String) {
        var parser = DispositionParser(value)
        let type = parser.type()
        self.type = String(decoding: type, as: UTF8.self)
        // Texts are compared as bytes, because comparing strings can take quadratic time.
        let isForm = type.elementsEqual("form-data".utf8)
        var parameters: [Parameter] = []
        var names: Set<[UInt8]> = []
        while let (name, value, isQuoted) = parser.next(decodingForm: isForm) {
            guard names.insert(name).inserted else { continue }
            parameters.append(
                Parameter(
                    name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self),
                    isQuoted: isQuoted))
        }
        self.parameters = parameters
    }

    /// The value of a parameter: that of `name*` if it can be decoded (RFC 8187), otherwise that of `name`. The case of
    /// the name is ignored.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        if let extended = parameter(name + "*"), !extended.isQuoted, let text = ExtendedValue.text(extended.value) {
            return text
        }
        return parameter(name)?.value
    }

    private func parameter(_ name: String) -> Parameter? {
        parameters.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// The file name: `filename*` if it can be decoded, otherwise `filename` (RFC 6266, section 4.3). `nil` if both are
    /// missing.
    ///
    /// The server chooses this text. It may contain a path, or characters that mislead the user. Use ``safeFileName``
    /// to create a file.
    public var fileName: String? { self["filename"] }

    /// The file name in a form that is safe on every system, or `nil` if no name is left (RFC 6266, section 4.3).
    ///
    /// - If no name is left of `filename*`, it is that of `filename`.
    /// - Only the text after the last `/` or `\` is used.
    /// - Control characters, bidirectional controls, zero-width characters and line separators are removed. Characters
    ///   that Windows forbids (`<>:"|?*`) become `_`.
    /// - White space at both ends and dots at the end are removed, so the name is never `.` or `..`.
    /// - A name that starts with a dot gets the prefix `_`, so that the file is not hidden. So does a device name of
    ///   Windows, such as `CON` or `com1.txt`.
    /// - The name is in Unicode Normalization Form C. It has at most 255 bytes of UTF-8. A longer name is cut at a
    ///   character boundary and keeps an extension of at most 32 bytes.
    public var safeFileName: String? {
        (fileName.flatMap(SafeFileName.init) ?? parameter("filename").flatMap { SafeFileName($0.value) })?.description
    }
}

/// Parses the value of a `Content-Disposition` header in one pass over its bytes.
private struct DispositionParser {
    private let bytes: [UInt8]
    private var index = 0

    init(_ value: String) {
        bytes = Array(value.utf8)
    }

    mutating func type() -> [UInt8] { text { $0 == UInt8(ascii: ";") }.map(\.lowercased) }

    /// Returns the next parameter, or `nil` at the end.
    mutating func next(decodingForm isForm: Bool) -> (name: [UInt8], value: [UInt8], isQuoted: Bool)? {
        while index < bytes.count {
            let name = text { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ";") }.map(\.lowercased)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
                index += 1
                continue
            }
            index += 1
            while index < bytes.count, bytes[index].isSpace { index += 1 }
            let isQuoted = index < bytes.count && bytes[index] == UInt8(ascii: "\"")
            var value = isQuoted ? quotedString() : Array(text { $0 == UInt8(ascii: ";") })
            index += 1
            if isForm, name.last != UInt8(ascii: "*") { value = value.decodingFormEscapes }
            if !name.isEmpty { return (name, value, isQuoted) }
        }
        return nil
    }

    /// Returns the value of a quoted string, and skips the text after it up to the next semicolon.
    private mutating func quotedString() -> [UInt8] {
        index += 1
        let value = QuotedString.rest(of: bytes, from: &index)
        _ = text { $0 == UInt8(ascii: ";") }
        return Array(value.utf8)
    }

    /// Returns the text before the next mark, without surrounding white space.
    private mutating func text(until isMark: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, !isMark(bytes[index]) { index += 1 }
        let text = bytes[start..<index].drop(while: \.isSpace)
        let last = text.lastIndex { !$0.isSpace } ?? text.startIndex - 1
        return text[..<(last + 1)]
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { " \t\r\n".utf8.contains(self) }
}

extension [UInt8] {
    /// These bytes with `%22`, `%0A` and `%0D` decoded. Other escapes are unchanged.
    fileprivate var decodingFormEscapes: [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < count {
            let octet = octet(at: index).flatMap { "\"\r\n".utf8.contains($0) ? $0 : nil }
            result.append(octet ?? self[index])
            index += octet == nil ? 1 : 3
        }
        return result
    }
}
