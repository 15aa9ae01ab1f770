/// How a request's body gets into a `curl` command.
struct CURLBody {
    /// Whether there is no body.
    var isEmpty = false
    /// What is written before the command.
    var pipe = ""
    /// The options that name the body.
    var options: [(String, String)] = []
    /// What the command can't hold.
    var note: String?

    /// Nil as redaction reveals everything.
    init(_ request: APIRequest, hiding redaction: Redaction?) {
        switch request.body {
        case .none: self.init(isEmpty: true)
        case .stream: self = .stream
        case .file(let url): self.init(file: url, hiding: redaction)
        case .data(let data):
            let type = request.fields["Content-Type"].map { $0.prefix { $0 != ";" }.lowercased() }
            self.init(data, type: type?.trimmingCharacters(in: .whitespaces) ?? "", hiding: redaction)
        }
    }

    /// A body that is made while it is sent.
    static var stream: CURLBody { CURLBody(fromInput: "the body is a stream: feed it to standard input") }

    private init(isEmpty: Bool) {
        self.isEmpty = isEmpty
    }

    private init(fromInput note: String) {
        options = [("--data-binary", "@-")]
        self.note = note
    }

    private init(file url: URL, hiding redaction: Redaction?) {
        let path = url.absoluteURL.path(percentEncoded: false)
        options = [("--data-binary", "@" + (redaction?.masked(path) ?? path))]
    }

    private init(_ data: Data, type: String, hiding redaction: Redaction?) {
        guard data.count <= CURLCommand.bodyLimit else {
            self.init(fromInput: "the body has \(data.count) bytes, too many to show: feed it to standard input")
            return
        }
        guard let redaction, !data.isEmpty else {
            self.init(shown: data)
            return
        }
        guard let text = String(data: data, encoding: .utf8), let masked = redaction.masked(text, type: type) else {
            self.init(
                fromInput: "the body of \(data.count) bytes is hidden, as it is neither JSON nor a form: "
                    + "feed it to standard input")
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
        // After `--data-binary` a text that begins with an @ would name a file.
        options = [(text.utf8.first == UInt8(ascii: "@") ? "--data-raw" : "--data-binary", text)]
    }
}

extension Redaction {
    /// A body of a kind whose secrets can be found, without them; nil for any other.
    fileprivate func masked(_ text: String, type: String) -> String? {
        if type == "application/x-www-form-urlencoded" { return maskedForm(text) }
        return maskedJSON(text)
    }
}
