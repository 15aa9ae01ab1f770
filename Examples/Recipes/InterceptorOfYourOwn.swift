import Errand

struct BearerToken: Interceptor {
    let token: Secret  // descriptions do not contain it

    func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        var request = request
        request.head.setValue("Bearer \(token.reveal())", forHTTPHeaderField: "Authorization")
        return try await next.send(request)
    }
}

func signedIn(_ token: Secret, on session: some APISession) -> any APISession {
    session.intercepted(by: BearerToken(token: token))
}
