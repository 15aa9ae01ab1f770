import ErrandSupport

/// The JSON structure of a HAR 1.2 file. Members with an underscore are extensions, which HAR allows.
struct ArchiveFile: Codable {
    var log: Log

    struct Log: Codable {
        var version: String? = "1.2"
        var creator: Creator? = Creator()
        var entries: [Entry]
    }

    struct Creator: Codable {
        var name: String? = "Errand"
        var version: String? = "1"
    }

    struct Entry: Codable {
        var startedDateTime: String
        var time: Double?
        var request: Request
        var response: Response
        var cache: Cache? = Cache()
        var timings: Timings?
    }

    struct Cache: Codable {}

    struct Timings: Codable {
        var send: Double? = 0
        var wait: Double?
        var receive: Double?
    }

    struct Pair: Codable {
        var name: String
        var value: String
    }

    struct Request: Codable {
        var method: String
        var url: String
        var httpVersion: String? = "HTTP/1.1"
        var cookies: [Pair]? = []
        var headers: [Pair]
        var queryString: [Pair]? = []
        var postData: PostData?
        var headersSize: Int64? = -1
        var bodySize: Int64? = -1
    }

    struct PostData: Codable {
        var mimeType: String?
        var params: [Parameter]?
        var text: String?
        /// `base64` if the bytes are not UTF-8.
        var _encoding: String?
        var _size: Int64?
    }

    struct Parameter: Codable {
        var name: String
        var value: String?
    }

    struct Response: Codable {
        var status: Int
        var statusText: String? = ""
        var httpVersion: String? = "HTTP/1.1"
        var cookies: [Pair]? = []
        var headers: [Pair]
        var content: Content
        var redirectURL: String? = ""
        var headersSize: Int64? = -1
        var bodySize: Int64? = -1
        var _error: String?
    }

    struct Content: Codable {
        var size: Int64?
        var mimeType: String?
        var text: String?
        var encoding: String?
        /// The size of a truncated body. -1 if it is unknown. It is an extension, because the `size` of browsers can
        /// differ from the size of `text`.
        var _size: Int64?
        var _chunks: [Chunk]?
    }

    struct Chunk: Codable {
        var size: Int
        var moment: Double
    }
}

extension ArchiveFile {
    init(_ archive: HTTPArchive) {
        log = Log(entries: archive.entries.map(Entry.init))
    }

    var archive: HTTPArchive {
        get throws { HTTPArchive(try log.entries.map { try $0.entry }) }
    }
}

extension ArchiveFile.Entry {
    fileprivate init(_ entry: HTTPArchive.Entry) {
        startedDateTime = ISO8601.text(of: entry.date) ?? "1970-01-01T00:00:00Z"
        time = entry.duration.archived
        request = ArchiveFile.Request(entry.request)
        response = ArchiveFile.Response(entry.response, failure: entry.failure)
        let wait = min(entry.wait, entry.duration)
        timings = ArchiveFile.Timings(wait: wait.archived, receive: (entry.duration - wait).archived)
    }

    fileprivate var entry: HTTPArchive.Entry {
        get throws {
            guard let date = ISO8601.date(from: startedDateTime) else {
                throw ServiceError(.decoding, "expected an ISO 8601 date in startedDateTime")
            }
            let (response, failure) = try response.response
            return HTTPArchive.Entry(
                date: date, duration: Duration(archived: time), wait: Duration(archived: timings?.wait),
                request: try request.request, response: response, failure: failure)
        }
    }
}

extension ArchiveFile.Request {
    fileprivate init(_ request: HTTPArchive.Request) {
        (method, url) = (request.method, request.url)
        headers = request.headers.map { ArchiveFile.Pair(name: $0.name, value: $0.value) }
        let query = request.url.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        queryString = query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return ArchiveFile.Pair(
                name: PercentEncoding.formText(String(parts[0])),
                value: parts.count > 1 ? PercentEncoding.formText(String(parts[1])) : "")
        }
        postData = request.body.map(ArchiveFile.PostData.init)
        bodySize = request.body.map { $0.size ?? -1 } ?? 0
    }

    fileprivate var request: HTTPArchive.Request {
        get throws {
            HTTPArchive.Request(
                method: method, url: url, headers: headers.fields, body: try postData?.body)
        }
    }
}

extension ArchiveFile.PostData {
    fileprivate init(_ body: HTTPArchive.Body) {
        mimeType = body.mediaType
        (text, _encoding) = body.bytes.archived
        _size = body.isComplete ? nil : body.size ?? -1
    }

    fileprivate var body: HTTPArchive.Body {
        get throws {
            let form = params?.map { "\(PercentEncoding.form($0.name))=\(PercentEncoding.form($0.value ?? ""))" }
            let bytes = try Data(archived: text ?? form?.joined(separator: "&") ?? "", encoding: _encoding)
            let isForm = text == nil && form?.isEmpty == false
            var body = HTTPArchive.Body(
                bytes, mediaType: isForm ? "application/x-www-form-urlencoded" : mimeType ?? "")
            if let size = _size { body.size = size < 0 ? nil : size }
            return body
        }
    }
}

extension ArchiveFile.Response {
    fileprivate init(_ response: HTTPArchive.Response?, failure: String?) {
        status = response?.status ?? 0
        statusText = response.map { reasonPhrase($0.status) } ?? ""
        headers = (response?.headers ?? [:]).map { ArchiveFile.Pair(name: $0.name, value: $0.value) }
        redirectURL = response?.headers["Location"] ?? ""
        let body = response?.body ?? HTTPArchive.Body()
        let (text, encoding) = body.bytes.archived
        content = ArchiveFile.Content(
            size: body.size ?? Int64(body.bytes.count), mimeType: body.mediaType, text: text, encoding: encoding,
            _size: body.isComplete ? nil : body.size ?? -1,
            _chunks: response?.chunks.isEmpty == false
                ? response?.chunks.map { ArchiveFile.Chunk(size: $0.size, moment: $0.moment.archived) } : nil)
        _error = failure
    }

    /// The response, and the failure of the exchange. Browsers use the status 0 for a missing response.
    fileprivate var response: (HTTPArchive.Response?, String?) {
        get throws {
            guard status != 0 else { return (nil, _error ?? "no response was received") }
            guard (100...999).contains(status) else {
                throw ServiceError(.decoding, "expected a status from 100 to 999, found \(status)")
            }
            let bytes = try Data(archived: content.text ?? "", encoding: content.encoding)
            var body = HTTPArchive.Body(bytes, mediaType: content.mimeType ?? "")
            if let size = content._size { body.size = size < 0 ? nil : size }
            let chunks = (content._chunks ?? []).map {
                HTTPArchive.Chunk(size: max(0, $0.size), moment: Duration(archived: $0.moment))
            }
            return (HTTPArchive.Response(status: status, headers: headers.fields, body: body, chunks: chunks), _error)
        }
    }
}

extension [ArchiveFile.Pair] {
    /// The headers. Pseudo-headers of HTTP/2 and malformed headers are left out, and joined `Set-Cookie` headers are
    /// separated.
    fileprivate var fields: HeaderFields {
        HeaderFields(
            filter { !$0.name.hasPrefix(":") }.flatMap { pair in
                pair.value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
                    HeaderFields.Field(pair.name, String($0))
                }
            }.filter { $0.flaw == nil })
    }
}

extension Duration {
    /// The duration in milliseconds, as HAR files have it.
    fileprivate var archived: Double {
        Double(components.seconds) * 1_000 + (Double(components.attoseconds) / 1e12).rounded() / 1_000
    }

    /// Creates a duration from milliseconds, from 0 to one day. Browsers use -1 for unknown times.
    fileprivate init(archived milliseconds: Double?) {
        self = .microseconds(Int64(min(max(0, milliseconds ?? 0), 86_400_000) * 1_000))
    }
}

extension Data {
    /// The bytes as text, or in base64 if they are not UTF-8.
    fileprivate var archived: (text: String, encoding: String?) {
        if let text = String(validUTF8: self) { return (text, nil) }
        return (base64EncodedString(), "base64")
    }

    fileprivate init(archived text: String, encoding: String?) throws(ServiceError) {
        switch encoding {
        case nil, "": self = Data(text.utf8)
        case "base64":
            guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
                throw ServiceError(.decoding, "expected a body in base64")
            }
            self = data
        case .some(let other):
            let found = other.singleLine(limit: 40)
            throw ServiceError(.decoding, "expected the encoding base64 or none, found \(found)")
        }
    }
}
