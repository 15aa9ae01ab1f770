extension ServiceError {
    /// What kind of failure this is, to branch on.
    ///
    /// A struct, not an enum: new codes may come without breaking a `switch` (which needs a `default`).
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's stable text, as logs and the conformance driver show it.
        public let rawValue: String

        /// Makes a code of your own, for errors that your interceptors throw.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The text that is safe to print.
        public var description: String { rawValue }

        /// An environment, a path template or a session is set up wrongly; nothing was sent.
        public static let configuration: Self = .init("configuration")
        /// The handler could not make a request, or the request must not be sent as it is; nothing was sent.
        public static let encoding: Self = .init("encoding")
        /// The caller's task or token was cancelled, or the session was. The cause is a `CancellationError`.
        public static let cancelled: Self = .init("cancelled")
        /// The idle time-out or the total deadline passed.
        public static let timeout: Self = .init("timeout")
        /// No connection could be made: name not found, refused, unreachable, offline.
        public static let connection: Self = .init("connection")
        /// The connection was lost after it had been made, before the answer was whole.
        public static let connectionLost: Self = .init("connection-lost")
        /// The TLS handshake failed, or, where the session can't tell more, the server's certificate.
        public static let tls: Self = .init("tls")
        /// The server's certificate is signed by nobody whom this session trusts, or is refused for another reason that has
        /// no code of its own.
        public static let certificate: Self = .init("certificate")
        /// The server's certificate is for another host.
        public static let certificateHost: Self = .init("certificate-host")
        /// The server's certificate is not valid any more, or not yet.
        public static let certificateExpired: Self = .init("certificate-expired")
        /// The server's public key is none of those that the session pins.
        public static let certificatePin: Self = .init("certificate-pin")
        /// The server's bytes are not a valid HTTP answer.
        public static let badResponse: Self = .init("bad-response")
        /// The server points elsewhere, and that must not be followed: the reason says which rule of
        /// ``RedirectInterceptor`` forbids it, and ``ServiceError/response`` is the redirect.
        public static let redirect: Self = .init("redirect")
        /// The body is larger than the cap of the call's ``RequestOptions/Delivery``.
        public static let bodyTooLarge: Self = .init("body-too-large")
        /// The answer's body could not be written to its file: the disk is full, or the place can't be written to.
        public static let file: Self = .init("file")
        /// The host has failed too often of late, so that ``CircuitBreakerInterceptor`` did not send the request;
        /// ``ServiceError/retryAfter`` is the time until it lets one through, where that is known.
        public static let circuitOpen: Self = .init("circuit-open")
        /// The host takes no more requests for now, and ``RateLimitInterceptor`` may not wait for so long: the request was not
        /// sent, and ``ServiceError/retryAfter`` is the time to wait.
        public static let rateLimited: Self = .init("rate-limited")
        /// The session failed in a way that has no code of its own.
        public static let transport: Self = .init("transport")
        /// The status is not one that the handler's validators accept.
        public static let status: Self = .init("status")
        /// A validator other than the status check refused the answer.
        public static let validation: Self = .init("validation")
        /// The body could not be turned into the handler's value.
        public static let decoding: Self = .init("decoding")
        /// There are no credentials to send: nobody is signed in, the session has ended, or the authorization server
        /// refused or could not be understood. ``ServiceError/oauthError`` has what it answered.
        public static let authorization: Self = .init("authorization")
        /// The server wants more scope than the token has: ``ServiceError/insufficientScope`` says which.
        public static let insufficientScope: Self = .init("insufficient-scope")
    }
}
