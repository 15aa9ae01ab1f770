// What URLSession does otherwise on Linux, in one place.

extension Platform {
    #if canImport(FoundationNetworking)
        static func adapter(for session: URLSession) -> URLSessionAdapter {
            URLSessionAdapter(configuration: session.configuration)
        }

        /// The session's own delegate does it all there; a task has none.
        static func attach(_ delegate: TransferDelegate, to task: URLSessionTask, ownsSession: Bool) {}

        /// Rejecting the protection space loses the answer there; cancelling delivers it and then fails.
        static var refuseChallenge: URLSession.AuthChallengeDisposition { .cancelAuthenticationChallenge }

        /// Whether a delegate may answer for a task that was cancelled meanwhile: there it ends the process.
        static var takesLateAnswers: Bool { false }

        /// Whether a task can make its server wait: there a resumed task starts anew and gives its first bytes again.
        static var canSuspend: Bool { false }

        static func suspend(_ task: URLSessionTask, _ isSuspended: Bool) {}

        /// Whether a body whose length contradicts the response is an error of the platform. On Linux the last of
        /// several lengths counts, one that overflows is ignored, and a `URLProtocol` is not checked at all.
        static var checksBodyLengths: Bool { false }

        /// A task that sends a file.
        ///
        /// Upload tasks from files end the process there when one is cancelled, or its connection lost, while a part of the
        /// file is being read. Streams don't, but are sent in chunks, which not every server takes, and beside a
        /// `Content-Length` unless another transfer coding is named: a blank one is, and not sent.
        static func uploadTask(_ request: URLRequest, _ file: RegularFile, on session: URLSession) -> URLSessionTask {
            var request = request
            request.httpBodyStream = FileInput(file)
            request.setValue("\(file.size)", forHTTPHeaderField: "Content-Length")
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
            return session.dataTask(with: request)
        }

        /// Fits a request to the platform there.
        ///
        /// IPv6 literals and upper-case schemes are refused there with a misleading error. A compressed body that was
        /// cut off passes there as whole, so none is asked for. There is no cache, which a request may insist on.
        static func prepare(_ request: inout APIRequest) throws(ServiceError) {
            guard request.head.url?.host()?.contains(":") != true else {
                throw ServiceError(.configuration, "URLSession on Linux can't connect to an IPv6 literal: use a name")
            }
            guard request.options.cachePolicy != .returnCacheDataDontLoad else {
                throw ServiceError(.configuration, "the cache policy forbids the network, and there is no cache")
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

        static var takesLateAnswers: Bool { true }

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

    /// Whether a challenge asks for a name and a password, not about the server's or the client's certificate.
    static func isPasswordChallenge(_ challenge: URLAuthenticationChallenge) -> Bool {
        [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodDefault]
            .contains(challenge.protectionSpace.authenticationMethod)
    }
}
