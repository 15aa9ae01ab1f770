import ErrandSupport

extension HTTPArchive {
    /// Returns a copy in which the values of hidden names are masked.
    ///
    /// These are headers, user information, query items and path parameters of URLs, cookies, form fields, JSON members,
    /// XML elements and attributes, and `name=value` pairs and `name: value` lines in other texts, and JSON Web Tokens
    /// (RFC 7519). A repeated hidden value is also masked, such as in a response that echoes a credential, and in binary
    /// bodies. This holds for credentials in headers of 4 bytes or more, and for other values of 8 bytes or more with
    /// letters and digits, or of 12 bytes or more. Shorter values, and parts of the host name, are masked only at their
    /// own position.
    ///
    /// The types of JSON are kept. A hidden string becomes `REDACTED`, and a hidden number of four or more characters
    /// becomes 0. Shorter numbers, which are often error codes, `true`, `false` and `null` are not changed.
    public func redacted(by redaction: Redaction = .standard) -> HTTPArchive {
        HTTPArchive(entries.map { Unredacted(entry: $0, redaction: redaction) })
    }

    /// An entry with its secrets.
    package struct Unredacted: Sendable {
        let entry: Entry
        /// The request without the values of hidden names. Repeated values are not masked.
        package var maskedRequest: Request {
            var masking = EntryMasking(redaction, nil)
            return masking.masked(entry.request)
        }
        let redaction: Redaction
        /// Secrets of the exchange that are not a part of the entry.
        var secrets: Set<String> = []
    }

    /// Creates an archive without secrets.
    package init(_ exchanges: [Unredacted]) {
        let secrets = exchanges.reduce(into: Set<String>()) { secrets, exchange in
            secrets.formUnion(exchange.secrets.filter(\.isDistinctive))
            secrets.formUnion(exchange.entry.secrets(exchange.redaction))
        }
        let finder = secrets.isEmpty ? nil : SecretFinder(secrets, most: .max)
        self.init(exchanges.map { $0.entry.masked($0.redaction, finder) })
    }
}

extension HTTPArchive.Entry {
    /// The values of hidden names that are masked at all positions.
    fileprivate func secrets(_ redaction: Redaction) -> Set<String> {
        var sent = EntryMasking(redaction, nil)
        _ = sent.masked(request)
        var received = EntryMasking(redaction, nil)
        if let response { _ = received.masked(response) }
        let host = URLComponents(string: request.url)?.host?.lowercased() ?? ""
        let values =
            sent.credentials + (sent.found + received.credentials + received.found).filter(\.isDistinctive)
        // A value that is part of the host name is public, such as a client identifier.
        return Set(values).filter { value in
            value.utf8.count >= SecretFinder.shortest && !host.contains(value.lowercased())
                && ![Redaction.mask, TextMasking.token].contains(value)
        }
    }

    fileprivate func masked(_ redaction: Redaction, _ finder: SecretFinder?) -> HTTPArchive.Entry {
        var masking = EntryMasking(redaction, finder)
        var entry = self
        entry.request = masking.masked(request)
        entry.response = response.map { masking.masked($0) }
        entry.failure = failure.map { masking.text($0) }
        return entry
    }
}

/// Masks the secrets of an exchange.
private struct EntryMasking {
    private static let urlHeaders: Set<String> = ["location", "content-location", "referer"]
    /// Hidden headers with parameters that are often URLs and words, not credentials.
    private static let challenges: Set<String> = [
        "www-authenticate", "proxy-authenticate", "authentication-info", "proxy-authentication-info",
    ]
    private static let digests: Set<String> = ["content-digest", "repr-digest", "content-md5", "digest"]

    private let redaction: Redaction
    private let finder: SecretFinder?
    private var body: BodyMasking
    private var ofFields: [String] = []
    /// The credentials in hidden headers.
    private(set) var credentials: [String] = []

    init(_ redaction: Redaction, _ finder: SecretFinder?) {
        (self.redaction, self.finder) = (redaction, finder)
        body = BodyMasking(redaction, finder)
    }

    /// The values of hidden names in the masked texts.
    var found: [String] { ofFields + body.text.found }

    mutating func masked(_ request: HTTPArchive.Request) -> HTTPArchive.Request {
        var request = request
        request.url = url(request.url)
        request.headers = headers(request.headers)
        request.body = request.body.map { body.masked($0) }
        return request
    }

    mutating func masked(_ response: HTTPArchive.Response) -> HTTPArchive.Response {
        var response = response
        response.headers = headers(response.headers)
        let masked = body.masked(response.body)
        if masked.bytes != response.body.bytes {
            // The sizes of the chunks are those of the original bytes, and the digests are wrong.
            response.chunks = response.chunks.scaled(to: masked.bytes.count)
            response.headers = HeaderFields(response.headers.filter { !Self.digests.contains($0.name.lowercased()) })
        }
        response.body = masked
        return response
    }

    mutating func text(_ text: String) -> String { body.masked(text) }

    /// Returns a URL without fragment and secrets, in ASCII.
    private mutating func url(_ url: String) -> String {
        let visible = url.prefix { $0 != "#" }
        let path = visible.prefix { $0 != "?" }
        let query = visible.dropFirst(path.count + 1)
        if finder == nil {
            _ = body.masked(String(path))
            _ = body.masked(String(url.dropFirst(visible.count)))
        }
        let mark = path.count < visible.count ? "?" : ""
        let named = redaction.masked(url: String(path)) + mark + body.pairs(String(query))
        let masked = finder?.masked(named) ?? named
        return masked == visible ? String(visible) : masked.percentEncodedNonASCII
    }

    private mutating func headers(_ headers: HeaderFields) -> HeaderFields {
        HeaderFields(
            headers.map { field in
                let name = finder.map { $0.masked(field.name) } == field.name || finder == nil ? field.name : "redacted"
                if redaction.hides(field.name) {
                    if field.isNamed("Cookie") || field.isNamed("Set-Cookie") {
                        ofFields += HiddenField.values(of: field)
                    } else if !Self.challenges.contains(field.name.lowercased()) {
                        credentials += HiddenField.values(of: field)
                    }
                    return HeaderFields.Field(name, Redaction.mask)
                }
                if Self.urlHeaders.contains(field.name.lowercased()) {
                    return HeaderFields.Field(name, url(field.value))
                }
                return HeaderFields.Field(name, field.isNamed("Link") ? links(field.value) : text(field.value))
            })
    }

    /// Returns a `Link` header (RFC 8288, section 3) with masked URLs.
    private mutating func links(_ value: String) -> String {
        var result = ""
        for (index, part) in value.split(separator: "<", omittingEmptySubsequences: false).enumerated() {
            guard index > 0, let end = part.firstIndex(of: ">") else {
                result += (index > 0 ? "<" : "") + text(String(part))
                continue
            }
            result += "<" + url(String(part[..<end])) + text(String(part[end...]))
        }
        return result
    }
}

/// The secrets in the value of a header with a hidden name.
private enum HiddenField {
    static func values(of field: HeaderFields.Field) -> [String] {
        if field.isNamed("Cookie") { return field.value.split(separator: ";").flatMap { cookie($0) } }
        if field.isNamed("Set-Cookie") { return cookie(field.value.prefix { $0 != ";" }) }
        return credentials(field.value)
    }

    /// The value of a cookie: as it is, without its quotes and without percent-encoding.
    private static func cookie(_ pair: Substring) -> [String] {
        guard let mark = pair.firstIndex(of: "=") else { return [] }
        let value = pair[pair.index(after: mark)...].trimmed()
        let plain = value.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        return [value, plain, String(decoding: PercentEncoding.decoded(plain), as: UTF8.self)]
    }

    /// The value, the value without its scheme, the parameters of the scheme (RFC 9110, section 11.4), and the user and
    /// the password of Basic credentials (RFC 7617, section 2).
    private static func credentials(_ value: String) -> [String] {
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return [value] }
        let rest = words[1].trimmed()
        guard words[0].lowercased() == "basic", let data = Data(base64Encoded: rest) else {
            let parameters = rest.split(separator: ",").compactMap { part -> String? in
                guard let mark = part.firstIndex(of: "=") else { return nil }
                let value = part[part.index(after: mark)...].trimmed()
                    .trimmingCharacters(in: CharacterSet(charactersIn: "\""))
                return value.utf8.count >= 16 ? value : nil
            }
            return [value, rest] + parameters
        }
        let pair = String(decoding: data, as: UTF8.self)
        return [value, rest, pair] + pair.split(separator: ":", maxSplits: 1).map(String.init)
    }
}

extension [HTTPArchive.Chunk] {
    /// Returns the chunks with sizes that add up to another size.
    fileprivate func scaled(to size: Int) -> [HTTPArchive.Chunk] {
        var left = size
        var chunks = self
        for index in chunks.indices {
            chunks[index].size = index == chunks.count - 1 ? left : Swift.min(left, chunks[index].size)
            left -= chunks[index].size
        }
        return chunks
    }
}

extension String {
    /// Whether this hidden value is unlikely to be a usual word or number: 12 bytes or more, or 8 bytes or more with
    /// letters and digits.
    fileprivate var isDistinctive: Bool {
        guard utf8.count < 12 else { return true }
        return utf8.count >= 8 && contains(where: \.isLetter) && contains(where: \.isNumber)
    }

    /// The text with all bytes percent-encoded that are not ASCII.
    fileprivate var percentEncodedNonASCII: String {
        utf8.reduce(into: "") { result, byte in
            if byte < 0x80 {
                result.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%\(digits)"
            }
        }
    }
}
