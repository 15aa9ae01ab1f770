import Errand

/// Prints each request as a command of curl's, and sends nothing: `--curl`.
struct CommandInterceptor: Interceptor {
    let console: Console
    let key: Secret?

    /// - Throws: ``ServiceError`` with `notSent`, always.
    func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        try console.output.write(KeyMask(key).hide(request.cURLCommand()) + "\n")
        throw ServiceError(.notSent, "the request was printed, not sent")
    }
}

extension ServiceError.Code {
    /// Nothing was to be sent.
    static let notSent: Self = .init("not-sent")
}
