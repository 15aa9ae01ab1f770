/// The body of a request in a `curl` command.
struct CURLBody {
    /// Whether the request has no body.
    var isEmpty = false
    /// The shell command that is piped into `curl`. Empty if there is none.
    var pipe = ""
    /// The `curl` options for the body.
    var options: [(String, String)] = []
    /// A note about a body that the command omits.
    var note: String?
    /// Whether `curl` sets the content type itself, because it draws the boundary of a multipart body.
    var setsContentType = false

    /// Creates the body. If `redaction` is `nil`, secrets are shown.
    init(_ request: APIRequest, hiding redaction: Redaction?) {
        switch request.body {
        case .none: self.init(isEmpty: true)
        case .stream: self = .stream
        case .file(let url): self.init(file: url, hiding: redaction)
        case .multipart(let body): self.init(body, hiding: redaction)
        case .data(let data):
            let type = request.headers["Content-Type"].map { $0.prefix { $0 != ";" }.lowercased() }
            self.init(data, type: type?.trimmingCharacters(in: .whitespaces) ?? "", hiding: redaction)
        }
    }

    /// A streamed body.
    static var stream: CURLBody { CURLBody(fromInput: "the body is a stream; pass it to standard input") }

    private init(
        isEmpty: Bool = false, pipe: String = "", options: [(String, String)] = [], note: String? = nil,
        setsContentType: Bool = false
    ) {
        (self.isEmpty, self.pipe, self.options, self.note) = (isEmpty, pipe, options, note)
        self.setsContentType = setsContentType
    }

    private init(fromInput note: String) {
        self.init(options: [("--data-binary", "@-")], note: note)
    }

    private init(_ body: MultipartBody, hiding redaction: Redaction?) {
        if let form = CURLForm(body, hiding: redaction) {
            self.init(pipe: form.pipe, options: form.options, note: form.note, setsContentType: true)
        } else if let data = body.data {
            self.init(data, type: "multipart/form-data", hiding: redaction)
        } else {
            self.init(fromInput: "the body has parts that curl has no options for; pass it to standard input")
        }
    }

    private init(file url: URL, hiding redaction: Redaction?) {
        let path = url.absoluteURL.path(percentEncoded: false)
        options = [("--data-binary", "@" + (redaction?.masked(path) ?? path))]
    }

    private init(_ data: Data, type: String, hiding redaction: Redaction?) {
        guard data.count <= CURLCommand.bodyLimit else {
            self.init(
                fromInput: "the body has \(data.count) bytes, too many for a command; pass it to standard input")
            return
        }
        guard let redaction, !data.isEmpty else {
            self.init(shown: data)
            return
        }
        guard let text = String(data: data, encoding: .utf8), let masked = redaction.masked(text, type: type) else {
            self.init(
                fromInput: "the body of \(data.count) bytes is hidden because it is neither JSON nor a form; "
                    + "pass it to standard input")
            return
        }
        self.init(shown: Data(masked.utf8))
    }

    private init(shown data: Data) {
        guard let text = String(data: data, encoding: .utf8), text.unicodeScalars.allSatisfy(\.isPasteable) else {
            pipe = "printf %s '\(data.base64EncodedString())' | base64 -d | "
            options = [("--data-binary", "@-")]
            return
        }
        // After `--data-binary`, a text that begins with @ is a file name.
        options = [(text.utf8.first == UInt8(ascii: "@") ? "--data-raw" : "--data-binary", text)]
    }
}

extension Redaction {
    /// Masks the secrets of a form or a JSON body. Returns `nil` for other bodies.
    fileprivate func masked(_ text: String, type: String) -> String? {
        if type == "application/x-www-form-urlencoded" { return maskedForm(text) }
        return maskedJSON(text)
    }
}
