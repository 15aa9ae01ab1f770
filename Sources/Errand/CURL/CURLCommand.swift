/// Puts a `curl` command together.
struct CURLCommand {
    /// The most bytes of a body that are in a command: 64 kB. Linux takes no argument of 128 kB.
    static let bodyLimit = 65_536

    private let request: APIRequest
    private let redaction: Redaction?
    private let body: CURLBody
    /// The request's secrets. A URL from the server may repeat them. `nil` if secrets are shown.
    private let secrets: SecretFinder?
    private var notes: [String] = []
    private var words: [String] = []

    /// Nil as redaction reveals everything.
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

    /// The command; what it can't hold is said in lines before it.
    var text: String {
        let lines = notes.map { ": \(ShellWord(masked(redaction?.masked($0) ?? $0)))" }
        return (lines + [masked(body.pipe) + (["curl"] + words).joined(separator: " ")]).joined(separator: "\n")
    }

    private mutating func add(_ option: String, _ value: String? = nil) {
        words.append(option)
        guard let value else { return }
        let holdsText = ["--header", "--url", "--data-binary", "--data-raw"].contains(option)
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

    /// What keeps `curl` from changing the address.
    private mutating func addAddressRules() {
        let address = request.url?.absoluteString ?? ""
        if address.contains(where: { "[]{}".contains($0) }) { add("--globoff") }
        let segments = (request.url?.path(percentEncoded: true) ?? "").lowercased().replacing("%2e", with: ".")
        if segments.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) { add("--path-as-is") }
    }

    private mutating func addFields() {
        for field in request.fields where field.name.lowercased() != "content-length" {
            if let flaw = field.flaw {
                notes.append("a field is left out: \(flaw)")
                continue
            }
            let isHidden = redaction?.hides(field.name) == true
            let value = isHidden ? Redaction.mask : redaction?.masked(field.value) ?? field.value
            // Without a value `curl` would take the field away.
            let isEmpty = value.allSatisfy { $0 == " " || $0 == "\t" }
            add("--header", isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        // `curl` calls every body a form unless told otherwise.
        if !body.isEmpty, request.fields["Content-Type"] == nil { add("--header", "Content-Type:") }
    }

    private mutating func addRedirects() {
        let policy = request.options.redirects
        guard policy.mode != .manual else { return }
        // The headers that `curl` does not send to another host.
        let kept = ["authorization", "cookie", "host"]
        let bound = request.fields.first { field in
            !request.options.keepsAcrossOrigins(field.name) && !kept.contains(field.name.lowercased())
        }
        if let bound, policy.mode == .follow {
            notes.append("redirects are not followed: curl would take \(bound.name) along to another host")
            return
        }
        add("--location")
        add("--max-redirs", policy.mode == .follow ? "\(policy.limit)" : "0")
        if request.url?.scheme?.lowercased() == "https", !policy.allowsDowngrade { add("--proto-redir", "=https") }
    }

    private mutating func addAddress() {
        guard let url = request.url else {
            notes.append("the request has no address")
            return
        }
        // A fragment is never sent.
        let address = String(url.absoluteString.prefix { $0 != "#" })
        add("--url", redaction?.masked(address: address) ?? address)
    }
}
