// The differences of `URLSession` between Linux and Apple platforms.

extension Platform {
    #if canImport(FoundationNetworking)
        static func adapter(for session: URLSession) -> URLSessionAdapter {
            URLSessionAdapter(configuration: session.configuration)
        }

        /// Does nothing on Linux, because tasks have no delegate there. The session's delegate receives all events.
        static func attach(_ delegate: TransferDelegate, to task: URLSessionTask, ownsSession: Bool) {}

        /// The disposition that refuses a challenge. On Linux, rejecting the protection space loses the response.
        /// Cancelling the challenge delivers the response and then fails the task.
        static var refuseChallenge: URLSession.AuthChallengeDisposition { .cancelAuthenticationChallenge }

        /// Whether a delegate may call a completion handler after a cancellation. On Linux this ends the process.
        static var allowsLateCompletion: Bool { false }

        /// Whether suspending a task makes its server wait. On Linux, a resumed task starts again from the first byte.
        static var canSuspend: Bool { false }

        static func suspend(_ task: URLSessionTask, _ isSuspended: Bool) {}

        /// Whether the platform reports a body with a length that contradicts the response. On Linux the last of
        /// several lengths counts, a length that overflows is ignored, and a `URLProtocol` is not checked at all.
        static var checksBodyLengths: Bool { false }

        /// Creates a task that sends a file.
        ///
        /// On Linux, an upload task from a file ends the process if it is cancelled, or loses its connection, while a
        /// part of the file is being read. A task with a stream does not. However, the platform sends a stream with
        /// chunked transfer coding, which not every server supports, even if there is a `Content-Length`. It does not
        /// if the request names another transfer coding. A blank `Transfer-Encoding` counts as one, and is not sent.
        static func uploadTask(_ request: URLRequest, _ file: RegularFile, on session: URLSession) -> URLSessionTask {
            var request = request
            request.httpBodyStream = FileInput(file)
            request.setValue("\(file.size)", forHTTPHeaderField: "Content-Length")
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
            return session.dataTask(with: request)
        }

        /// Adapts a request to the platform.
        ///
        /// `URLSession` on Linux rejects IPv6 literals and upper-case schemes with a misleading error. It reports a
        /// truncated compressed body as complete, so no content coding is requested. The session has no cache, so a
        /// request that may only be loaded from a cache is an error.
        static func prepare(_ request: inout APIRequest) throws(ServiceError) {
            guard request.head.url?.host()?.contains(":") != true else {
                throw ServiceError(
                    .configuration,
                    "unsupported URL: URLSession on Linux cannot connect to an IPv6 literal; use a host name")
            }
            guard request.options.cachePolicy != .returnCacheDataDontLoad else {
                throw ServiceError(
                    .configuration,
                    "unsupported cache policy returnCacheDataDontLoad: the session has no cache; use another policy")
            }
            if let url = request.head.url, let scheme = url.scheme, scheme != scheme.lowercased() {
                var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
                parts?.scheme = scheme.lowercased()
                request.head.url = parts?.url ?? url
            }
            try request.head.addMissing(["Accept-Encoding": "identity"])
        }
    #else
        static func adapter(for session: URLSession) -> URLSessionAdapter {
            URLSessionAdapter(borrowing: session.configuration)
        }

        static func attach(_ delegate: TransferDelegate, to task: URLSessionTask, ownsSession: Bool) {
            if !ownsSession { task.delegate = delegate }
        }

        static var refuseChallenge: URLSession.AuthChallengeDisposition { .rejectProtectionSpace }

        static var allowsLateCompletion: Bool { true }

        static var canSuspend: Bool { true }

        static func suspend(_ task: URLSessionTask, _ isSuspended: Bool) {
            if isSuspended { task.suspend() } else { task.resume() }
        }

        static var checksBodyLengths: Bool { true }

        static func uploadTask(_ request: URLRequest, _ file: RegularFile, on session: URLSession) -> URLSessionTask {
            session.uploadTask(with: request, fromFile: file.url)
        }

        static func prepare(_ request: inout APIRequest) throws(ServiceError) {}
    #endif

    /// Whether a challenge asks for a user name and a password, and not about a certificate of the server or client.
    static func isPasswordChallenge(_ challenge: URLAuthenticationChallenge) -> Bool {
        [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodDefault]
            .contains(challenge.protectionSpace.authenticationMethod)
    }
}
