import ErrandSupport

/// The parts of a multipart body as options of a `curl` command.
///
/// `curl` draws a boundary itself, so the header with the request's boundary is not part of the command.
struct CURLForm {
    private(set) var options: [(String, String)] = []
    /// The bytes of a part for standard input, as a shell command. Empty if there is none.
    private(set) var pipe = ""
    /// A note about a part that must be passed to standard input.
    private(set) var note: String?
    private var usesInput = false
    private let redaction: Redaction?

    /// Creates the options. Returns `nil` if the body has no parts, if `curl` has no options for a part, or if two
    /// parts need standard input.
    init?(_ body: MultipartBody, hiding redaction: Redaction?) {
        guard !body.parts.isEmpty else { return nil }
        self.redaction = redaction
        var count = 0
        for (index, part) in body.parts.enumerated() {
            let name =
                body.mode == .form ? String(decoding: MultipartBody.normalized(part.name), as: UTF8.self) : part.name
            let content = body.body(of: part)
            count += content.data?.count ?? 0
            guard count <= CURLCommand.bodyLimit, !name.isEmpty, !name.utf8.contains(where: \.endsFormName),
                let option = option(for: part, content, number: index + 1)
            else { return nil }
            options.append((option.name, "\(name)=\(option.value)"))
        }
    }

    private mutating func option(
        for part: MultipartBody.Part, _ content: RequestBody, number: Int
    ) -> (name: String, value: String)? {
        guard let parameters = parameters(of: part, content) else { return nil }
        let isField = part.fileName == nil
        switch content {
        case .file(let url):
            let path = url.absoluteURL.path(percentEncoded: false)
            return ("--form", (isField ? "<" : "@") + Self.quoted(redaction?.masked(path) ?? path) + parameters)
        case .data(let data):
            if let text = shown(data, of: part) {
                let isPlain = parameters.isEmpty
                return (isPlain ? "--form-string" : "--form", (isPlain ? text : Self.quoted(text)) + parameters)
            }
            guard takeInput() else { return nil }
            if redaction == nil {
                pipe = "printf %s '\(data.base64EncodedString())' | base64 -d | "
            } else {
                note = "part \(number) of the body has \(data.count) bytes that are hidden; pass them to standard input"
            }
        case .none, .stream, .multipart:
            guard takeInput() else { return nil }
            note = "part \(number) of the body is a stream; pass it to standard input"
        }
        return ("--form", (isField ? "<-" : "@-") + parameters)
    }

    /// Returns whether standard input is unused, and marks it as used.
    private mutating func takeInput() -> Bool {
        defer { usesInput = true }
        return !usesInput
    }

    /// Returns the content of a part as a text of the command. `nil` if it is binary, or may contain secrets.
    private func shown(_ data: Data, of part: MultipartBody.Part) -> String? {
        let text = String(decoding: data, as: UTF8.self)
        guard Data(text.utf8) == data, !data.contains(0) else { return nil }
        guard let redaction else { return text }
        if redaction.hides(part.name) { return Redaction.mask }
        guard case .text = part.content else { return redaction.maskedJSON(text) }
        return redaction.maskedJSON(text) ?? redaction.masked(text)
    }

    /// Returns the file name, the content type and the headers of a part. `nil` if `curl` cannot parse them.
    private func parameters(of part: MultipartBody.Part, _ content: RequestBody) -> String? {
        var parameters = ""
        if let fileName = part.fileName, fileName != content.fileName {
            guard !fileName.utf8.contains(0) else { return nil }
            parameters += ";filename=\(Self.quoted(fileName))"
        }
        if let type = part.contentType {
            guard type.utf8.allSatisfy(\.isPlainInType) else { return nil }
            parameters += ";type=\(type)"
        }
        for field in part.headers {
            guard field.flaw == nil else { return nil }
            let value = redaction.map { $0.hides(field.name) ? Redaction.mask : $0.masked(field.value) } ?? field.value
            parameters += ";headers=\(Self.quoted("\(field.name): \(value)"))"
        }
        return parameters
    }

    /// Returns a text in quotation marks, in which `curl` interprets only backslashes.
    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.reduce(into: String.UnicodeScalarView()) { escaped, scalar in
            if scalar == "\"" || scalar == "\\" { escaped.append("\\") }
            escaped.append(scalar)
        }
        return "\"\(String(escaped))\""
    }
}

extension RequestBody {
    /// The name that `curl` derives from the path of a file.
    fileprivate var fileName: String? {
        if case .file(let url) = self { url.lastPathComponent } else { nil }
    }
}

extension UInt8 {
    /// Whether a name in a `--form` option ends before this character, or cannot contain it.
    fileprivate var endsFormName: Bool { self == UInt8(ascii: "=") || self == 0 }

    /// Whether `curl` accepts this character in the content type of a part.
    fileprivate var isPlainInType: Bool { isTokenByte || "/;= ".utf8.contains(self) }
}
