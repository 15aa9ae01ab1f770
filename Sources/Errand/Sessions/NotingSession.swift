/// A session that records the secrets of each request and hides them in the responses and errors of its inner session.
struct NotingSession: APISession {
    let inner: any APISession

    func send(_ request: APIRequest) async throws -> APIResponse {
        try await request.notingSecrets { try await inner.send($0) }
    }
}

/// A session that records secrets itself with ``APIRequest/notingSecrets(_:)``.
protocol NotesSecrets: APISession {}

extension APIRequest {
    /// Sends this request with a closure. Errors, and descriptions of the response head, do not contain its secrets.
    func notingSecrets(_ send: (APIRequest) async throws -> APIResponse) async throws -> APIResponse {
        let secrets: CarriedSecrets
        if let known = options.trail?.secrets {
            known.note(self)
            secrets = known
        } else {
            secrets = self.secrets
        }
        do {
            var response = try await send(self)
            if response.head.secrets == nil { response.head.secrets = secrets }
            return response
        } catch let error as ServiceError {
            throw error.hiding(secrets)
        }
    }
}
