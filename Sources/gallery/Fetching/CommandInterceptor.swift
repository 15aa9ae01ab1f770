import Errand

/// Implements `--curl`: prints each request as a curl command and does not send it.
struct CommandInterceptor: Interceptor {
    let console: Console
    let key: Secret?

    /// Prints the request.
    ///
    /// - Throws: Always ``ServiceError`` with `notSent`.
    func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        try console.output.write(KeyMask(key).hide(request.cURLCommand()) + "\n")
        throw ServiceError(.notSent, "the request was printed, not sent")
    }
}

extension ServiceError.Code {
    /// The request was printed and not sent.
    static let notSent: Self = .init("not-sent")
}
