import ErrandSupport

/// Masks a body by its media type.
struct BodyMasking {
    private static let form = "application/x-www-form-urlencoded"
    private static let encodedMask = PercentEncoding.form(Redaction.mask)

    private(set) var text: TextMasking

    init(_ redaction: Redaction, _ finder: SecretFinder?) {
        text = TextMasking(redaction, finder)
    }

    /// Masks a text that is not a body.
    mutating func masked(_ text: String) -> String { self.text.masked(text) }

    mutating func masked(_ body: HTTPArchive.Body) -> HTTPArchive.Body {
        var result = body
        result.bytes = masked(body.bytes, body.mediaType, isComplete: body.isComplete, depth: 0)
        // A secret in the boundary is masked in the body and in the media type.
        result.mediaType = text.masked(body.mediaType)
        if body.isComplete { result.size = Int64(result.bytes.count) }
        return result
    }

    private mutating func masked(_ bytes: Data, _ mediaType: String, isComplete: Bool, depth: Int) -> Data {
        guard !bytes.isEmpty else { return bytes }
        let type = MediaType(mediaType)
        if let multipart = MultipartParts(bytes, mediaType), depth < 3 {
            return multipart.mapped { header, content in
                self.part(header, content, isComplete: isComplete, depth: depth)
            }
        }
        if let view = TextView(bytes, mediaType, isComplete: isComplete) {
            let masked = masked(view.text, type?.essence ?? "", isComplete: isComplete)
            return masked == view.text ? bytes : view.data(from: masked)
        }
        // Other bytes are searched for the known secrets only.
        guard let finder = text.finder else { return bytes }
        let latin = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        var masked = finder.masked(isComplete ? latin : latin + "…")
        if !isComplete, masked.hasSuffix("…") { masked.removeLast() }
        return masked == latin ? bytes : TextView.latin1(masked)
    }

    private mutating func masked(_ original: String, _ essence: String, isComplete: Bool) -> String {
        // `SecretFinder` finds a truncated secret only if an ellipsis follows it.
        let input = isComplete ? original : original + "…"
        let first = original.utf8.first { !$0.isJSONSpace }
        let isJSON = first.map { "{[".utf8.contains($0) } ?? false
        var masked: String
        if essence == Self.form, !isJSON {
            let pairs = pairs(input)
            masked = text.finder?.masked(pairs) ?? pairs
        } else {
            // XHTML is XML (HTML, section 14).
            masked = text.masked(input, as: essence.hasSuffix("xml") ? .xml : essence.hasSuffix("html") ? .html : nil)
        }
        if !isComplete, masked.hasSuffix("…") { masked.removeLast() }
        // A token that is the complete body must be valid in a header when it is replayed.
        return masked == Redaction.mask ? TextMasking.token : masked
    }

    /// Masks the values of a form or a query. A value itself can be JSON, a URL or another text.
    mutating func pairs(_ input: String) -> String {
        input.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[1].isEmpty else { return text.masked(String(pair)) }
            let value = PercentEncoding.formText(parts[1])
            guard !text.redaction.hides(PercentEncoding.formText(parts[0])) else {
                text.note(parts[1])
                text.note(value)
                return "\(parts[0])=\(Redaction.mask)"
            }
            let masked = text.masked(value)
            if masked == value { return String(pair) }
            let encoded = PercentEncoding.form(masked).replacing(Self.encodedMask, with: Redaction.mask)
            return "\(parts[0])=\(encoded)"
        }.joined(separator: "&")
    }

    /// Masks a part of a multipart body (RFC 7578, section 4).
    private mutating func part(_ header: String, _ content: Data, isComplete: Bool, depth: Int) -> (String, Data) {
        let lines = header.split(whereSeparator: \.isNewline)
        func value(_ name: String) -> String? {
            lines.first { $0.lowercased().hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1)) }
        }
        let name = ContentDisposition(value("content-disposition") ?? "")["name"] ?? ""
        guard text.redaction.hides(String(decoding: PercentEncoding.decoded(name), as: UTF8.self)) else {
            return (
                text.masked(header),
                masked(content, value("content-type") ?? "", isComplete: isComplete, depth: depth + 1)
            )
        }
        text.note(String(decoding: content.prefix(65_536), as: UTF8.self))
        return (text.masked(header), content.isEmpty ? content : Data(Redaction.mask.utf8))
    }
}

/// A body as a text.
private struct TextView {
    private enum Form { case utf8, latin1, utf16 }

    let text: String
    private let form: Form

    /// Decodes a text. Returns `nil` for other data.
    init?(_ bytes: Data, _ mediaType: String, isComplete: Bool) {
        let lowercased = mediaType.lowercased()
        let hasMark = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        if hasMark || lowercased.contains("utf-16"), let text = String(data: bytes, encoding: .utf16) {
            (self.text, form) = (text, .utf16)
            return
        }
        let whole = isComplete ? bytes : bytes.dropLast(Self.truncatedCharacter(bytes))
        if let text = String(validUTF8: whole) {
            (self.text, form) = (text, .utf8)
            return
        }
        let isText = ["text/", "json", "xml", "javascript", "urlencoded"].contains { lowercased.contains($0) }
        guard isText else { return nil }
        text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        form = .latin1
    }

    func data(from masked: String) -> Data {
        switch form {
        case .utf8: Data(masked.utf8)
        case .latin1: Self.latin1(masked)
        case .utf16: masked.data(using: .utf16) ?? Data(masked.utf8)
        }
    }

    /// Encodes each scalar below 256 as a byte, and others in UTF-8.
    static func latin1(_ text: String) -> Data {
        Data(text.unicodeScalars.flatMap { $0.value < 256 ? [UInt8($0.value)] : Array(String($0).utf8) })
    }

    /// Returns the number of bytes of a character that is truncated at the end, at most 3.
    private static func truncatedCharacter(_ bytes: Data) -> Int {
        for count in 1...3 where count <= bytes.count {
            let byte = bytes[bytes.endIndex - count]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > count ? count : 0
        }
        return 0
    }
}

/// The parts of a multipart body.
struct MultipartParts {
    private let body: Data
    private let delimiter: Data

    /// Creates a value, or `nil` if the media type is not that of a multipart body.
    init?(_ body: Data, _ mediaType: String) {
        guard mediaType.lowercased().trimmed().hasPrefix("multipart/"),
            // The parameters of media types have the same grammar (RFC 9110, section 5.6.6).
            let boundary = ContentDisposition(mediaType)["boundary"], !boundary.isEmpty
        else { return nil }
        (self.body, delimiter) = (body, Data("--\(boundary)".utf8))
    }

    /// Returns the body with changed headers and contents of its parts.
    func mapped(_ change: (String, Data) -> (String, Data)) -> Data {
        var result = Data()
        var start = body.startIndex
        while start < body.endIndex {
            let end = body.range(of: delimiter, in: start..<body.endIndex)
            result += part(body[start..<(end?.lowerBound ?? body.endIndex)], change)
            guard let end else { break }
            result += delimiter
            start = end.upperBound
        }
        return result
    }

    private func part(_ part: Data, _ change: (String, Data) -> (String, Data)) -> Data {
        let blanks = ["\r\n\r\n", "\n\n"].compactMap { part.range(of: Data($0.utf8)) }
        guard let blank = blanks.min(by: { $0.lowerBound < $1.lowerBound }) else {
            // Without a blank line, it is the end of the body, or a malformed part.
            let isEnd = part.count <= 4
            return isEnd ? part : Data(change(String(decoding: part, as: UTF8.self), Data()).0.utf8)
        }
        // The line break before the next delimiter belongs to it.
        let content = part[blank.upperBound...]
        let ending = content.suffix(content.suffix(2) == Data("\r\n".utf8) ? 2 : content.last == 0x0A ? 1 : 0)
        let (header, bytes) = change(
            String(decoding: part[..<blank.lowerBound], as: UTF8.self), Data(content.dropLast(ending.count)))
        return Data(header.utf8) + part[blank] + bytes + ending
    }
}
