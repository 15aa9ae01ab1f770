/// A `curl` command for a request.
struct CURLCommand {
    /// The maximum size of a body in a command: 64 kB. On Linux, an argument must be smaller than 128 kB.
    static let bodyLimit = 65_536

    private let request: APIRequest
    private let redaction: Redaction?
    private let body: CURLBody
    /// The request's secrets. A URL from the server may repeat them. `nil` if secrets are shown.
    private let secrets: SecretFinder?
    private var notes: [String] = []
    private var words: [String] = []

    /// Creates the command. If `redaction` is `nil`, secrets are shown.
    init(_ request: APIRequest, isStream: Bool = false, redaction: Redaction?) {
        self.request = request
        self.redaction = redaction
        secrets = redaction == nil ? nil : SecretFinder(Set(RequestSecrets(request).secrets))
        body = isStream ? .stream : CURLBody(request, hiding: redaction)
        notes = body.note.map { [$0] } ?? []
        addMethod()
        addAddressRules()
        addFields()
        addRedirects()
        for (option, value) in body.options { add(option, value) }
        addAddress()
    }

    /// The command, after a line for each note about an omission.
    var text: String {
        let lines = notes.map { ": \(ShellWord(masked(redaction?.masked($0) ?? $0)))" }
        return (lines + [masked(body.pipe) + (["curl"] + words).joined(separator: " ")]).joined(separator: "\n")
    }

    private mutating func add(_ option: String, _ value: String? = nil) {
        words.append(option)
        guard let value else { return }
        let holdsText = ["--header", "--url", "--data-binary", "--data-raw", "--form", "--form-string"].contains(option)
        words.append("\(ShellWord(holdsText ? masked(value) : value))")
    }

    private func masked(_ text: String) -> String { secrets?.masked(text) ?? text }

    private mutating func addMethod() {
        switch (request.method, body.isEmpty) {
        case (.get, true), (.post, false): break
        case (.head, true): add("--head")
        case (let method, _): add("--request", method.rawValue)
        }
    }

    /// Adds the options that keep `curl` from changing the URL.
    private mutating func addAddressRules() {
        let address = request.url?.absoluteString ?? ""
        if address.contains(where: { "[]{}".contains($0) }) { add("--globoff") }
        let segments = (request.url?.path(percentEncoded: true) ?? "").lowercased().replacing("%2e", with: ".")
        if segments.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) { add("--path-as-is") }
    }

    private mutating func addFields() {
        for field in request.headers where field.name.lowercased() != "content-length" {
            if body.setsContentType, field.isNamed("Content-Type") { continue }
            if let flaw = field.flaw {
                notes.append("an invalid header is omitted: \(flaw)")
                continue
            }
            let isHidden = redaction?.hides(field.name) == true
            let value = isHidden ? Redaction.mask : redaction?.masked(field.value) ?? field.value
            // `curl` needs a semicolon for an empty header. It would remove a header `Name:`.
            let isEmpty = value.allSatisfy { $0 == " " || $0 == "\t" }
            add("--header", isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        // By default, `curl` sends `Content-Type: application/x-www-form-urlencoded` with a body.
        if !body.isEmpty, request.headers["Content-Type"] == nil { add("--header", "Content-Type:") }
    }

    private mutating func addRedirects() {
        let policy = request.options.redirects
        guard policy.mode != .manual else { return }
        // The headers that `curl` does not send to another host.
        let kept = ["authorization", "cookie", "host"]
        let bound = request.headers.first { field in
            !request.options.keepsAcrossOrigins(field.name) && !kept.contains(field.name.lowercased())
        }
        if let bound, policy.mode == .follow {
            notes.append("redirects are not followed: curl would send \(bound.name) to another host")
            return
        }
        add("--location")
        add("--max-redirs", policy.mode == .follow ? "\(policy.limit)" : "0")
        if request.url?.scheme?.lowercased() == "https", !policy.allowsDowngrade { add("--proto-redir", "=https") }
    }

    private mutating func addAddress() {
        guard let url = request.url else {
            notes.append("the request has no URL")
            return
        }
        // A client does not send the fragment of a URL.
        let address = String(url.absoluteString.prefix { $0 != "#" })
        add("--url", redaction?.masked(url: address) ?? address)
    }
}
