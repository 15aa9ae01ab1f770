extension APIRequest {
    /// This request as a `curl` command for any POSIX shell: what is pasted sends what this request would.
    ///
    /// ```swift
    /// print(request.cURLCommand())
    /// // curl --request DELETE --header 'Authorization: ‹redacted›' --location --max-redirs 20 --proto-redir '=https'
    /// //     --url 'https://api.gallery.example/photos/7'
    /// ```
    /// Each part is quoted so that no shell reads anything in it as its own. What interceptors add further in, such as
    /// credentials, is not in it.
    ///
    /// - A body of text is in the command; one of other bytes is piped to it in base64, a file is read by `curl`. One of
    ///   more than 64 kB, and a stream, are left to standard input. What the command can't hold it says in a first line,
    ///   `: '…'`, which no shell acts upon.
    /// - Redirects are followed as ``RequestOptions/redirects`` says, unless `curl` would send a header to another host
    ///   that ``RedirectInterceptor`` drops: `curl` only drops `Authorization`, `Cookie` and `Host`.
    /// - Redacted, the default, header fields, query items, members of JSON and form bodies and user information that
    ///   ``RequestOptions/redaction`` hides are masked; a body that is neither JSON nor a form is left out, as nobody knows
    ///   what it holds.
    ///
    /// - Parameter revealingSecrets: Whether nothing is hidden: whoever sees the command can then do what the caller can.
    /// - Returns: The command, on one line where nothing in it has line breaks and nothing is said before it.
    public func cURLCommand(revealingSecrets: Bool = false) -> String {
        CURLCommand(self, redaction: revealingSecrets ? nil : options.redaction).text
    }
}

extension URLRequest {
    /// This request as a `curl` command for any POSIX shell, under ``Redaction/standard``.
    ///
    /// As ``APIRequest/cURLCommand(revealingSecrets:)``; a body that is an `InputStream` is left to standard input.
    public func cURLCommand(revealingSecrets: Bool = false) -> String {
        var head = self
        let isStream = httpBodyStream != nil
        let body: RequestBody = httpBody.map { .data($0) } ?? .none
        if isStream { head.httpBodyStream = nil }
        let request = APIRequest(head: head, body: body)
        return CURLCommand(request, isStream: isStream, redaction: revealingSecrets ? nil : .standard).text
    }
}
