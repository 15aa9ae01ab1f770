// What URLSession does otherwise on Linux, in one place.

extension Platform {
    #if canImport(FoundationNetworking)
        static func adapter(for session: URLSession) -> URLSessionAdapter {
            URLSessionAdapter(configuration: session.configuration.hardened())
        }

        /// The session's own delegate does it all there; a task has none.
        static func attach(_ delegate: TransferDelegate, to task: URLSessionTask, ownsSession: Bool) {}

        /// Rejecting the protection space loses the answer there; cancelling delivers it and then fails.
        static var refuseChallenge: URLSession.AuthChallengeDisposition { .cancelAuthenticationChallenge }

        /// IPv6 literals are refused there with a misleading error.
        static func checkSendable(_ request: APIRequest) throws(ServiceError) {
            guard request.head.url?.host()?.contains(":") != true else {
                throw ServiceError(.configuration, "URLSession on Linux can't connect to an IPv6 literal: use a name")
            }
        }
    #else
        static func adapter(for session: URLSession) -> URLSessionAdapter {
            URLSessionAdapter(borrowing: session)
        }

        static func attach(_ delegate: TransferDelegate, to task: URLSessionTask, ownsSession: Bool) {
            if !ownsSession { task.delegate = delegate }
        }

        static var refuseChallenge: URLSession.AuthChallengeDisposition { .rejectProtectionSpace }

        static func checkSendable(_ request: APIRequest) throws(ServiceError) {}
    #endif

    /// Whether a challenge asks for a name and a password, not about the server's or the client's certificate.
    static func isPasswordChallenge(_ challenge: URLAuthenticationChallenge) -> Bool {
        [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodDefault]
            .contains(challenge.protectionSpace.authenticationMethod)
    }
}
