extension APIRequest {
    /// Returns this request as a `curl` command for a POSIX shell. The command sends the same request.
    ///
    /// ```swift
    /// print(request.cURLCommand())
    /// // curl --request DELETE --header 'Authorization: ‹redacted›' --location --max-redirs 20 --proto-redir '=https'
    /// //     --url 'https://api.gallery.example/photos/7'
    /// ```
    /// Each argument is quoted, so that a shell does not interpret it. Additions of interceptors, such as credentials,
    /// are not included.
    ///
    /// - A text body is part of the command. Other bytes are piped to it as base64, and `curl` reads a file itself. A
    ///   body of more than 64 kB or a stream must be passed to standard input. Lines `: '…'` in front of the command,
    ///   which have no effect in a shell, state each omission.
    /// - Each part of a multipart body is an option, and `curl` draws another boundary.
    /// - Redirects are followed according to ``RequestOptions/redirects``, unless `curl` would send a header to
    ///   another host that ``RedirectInterceptor`` drops. `curl` only drops `Authorization`, `Cookie` and `Host`.
    /// - By default, headers, query items, members of JSON and form bodies, and user information are masked if
    ///   ``RequestOptions/redaction`` hides them. A body that is neither JSON nor a form is omitted, because its
    ///   secrets cannot be found.
    ///
    /// - Parameter revealingSecrets: Whether to show secrets. The default is `false`. A command with secrets gives
    ///   every reader the rights of the caller.
    /// - Returns: The command. It is one line if no argument has a line break and no note precedes it.
    public func cURLCommand(revealingSecrets: Bool = false) -> String {
        CURLCommand(self, redaction: revealingSecrets ? nil : options.redaction).text
    }
}

extension URLRequest {
    /// Returns this request as a `curl` command for a POSIX shell, redacted by ``Redaction/standard``.
    ///
    /// The format is that of ``APIRequest/cURLCommand(revealingSecrets:)``. An `InputStream` body must be passed to
    /// standard input.
    public func cURLCommand(revealingSecrets: Bool = false) -> String {
        var head = self
        let isStream = httpBodyStream != nil
        let body: RequestBody = httpBody.map { .data($0) } ?? .none
        if isStream { head.httpBodyStream = nil }
        let request = APIRequest(head: head, body: body)
        return CURLCommand(request, isStream: isStream, redaction: revealingSecrets ? nil : .standard).text
    }
}
