extension ServiceError {
    /// The kind of a failure.
    ///
    /// It is a struct and not an enum, so that new codes do not break a `switch` (which needs a `default`).
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable text of the code, for logs and the conformance driver.
        public let rawValue: String

        /// Creates a custom code, for errors of custom interceptors.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The same text as ``rawValue``.
        public var description: String { rawValue }

        /// The configuration of an environment, a path template or a session is invalid. The request was not sent.
        public static let configuration: Self = .init("configuration")
        /// The handler could not create the request, or the request is invalid. It was not sent. If the source of the
        /// body fails, a part of the request may have been sent.
        public static let encoding: Self = .init("encoding")
        /// The task, the ``LoadToken`` or the session was cancelled. The cause is a `CancellationError`.
        public static let cancelled: Self = .init("cancelled")
        /// The idle timeout or the total deadline has passed.
        public static let timeout: Self = .init("timeout")
        /// The connection could not be established: name not found, refused, unreachable or offline.
        public static let connection: Self = .init("connection")
        /// The established connection was lost before the response was complete.
        public static let connectionLost: Self = .init("connection-lost")
        /// The TLS handshake failed. If the session reports no details, this includes an invalid certificate.
        public static let tls: Self = .init("tls")
        /// The session does not trust the issuer of the server's certificate, or it rejects the certificate for a
        /// reason without a specific code.
        public static let certificate: Self = .init("certificate")
        /// The server's certificate is for another host.
        public static let certificateHost: Self = .init("certificate-host")
        /// The server's certificate has expired or is not valid yet.
        public static let certificateExpired: Self = .init("certificate-expired")
        /// The server's public key does not match a pinned key of the session.
        public static let certificatePin: Self = .init("certificate-pin")
        /// The bytes from the server are not a valid HTTP response.
        public static let badResponse: Self = .init("bad-response")
        /// A redirect was not followed. ``ServiceError/reason`` states the rule of ``RedirectInterceptor`` that
        /// forbids it, and ``ServiceError/response`` is the redirect response.
        public static let redirect: Self = .init("redirect")
        /// All bytes of a resumable upload were sent, but its response is lost: the upload is or may be complete
        /// (``APILoader/upload(_:resumingBy:state:)``). Uploading again can create a duplicate.
        public static let responseLost: Self = .init("response-lost")
        /// The body exceeds a size limit, such as the limit of ``RequestOptions/Delivery``.
        public static let bodyTooLarge: Self = .init("body-too-large")
        /// A file could not be opened, read or written, for example that of a download, the state of an upload, or a
        /// token. The disk is full, the folder is read-only, or the file exists or is in use.
        public static let file: Self = .init("file")
        /// The host has failed too often recently, so ``CircuitBreakerInterceptor`` did not send the request.
        /// ``ServiceError/retryAfter`` is the time until it admits a request, if that is known.
        public static let circuitOpen: Self = .init("circuit-open")
        /// The rate limit of the host is reached, and the wait exceeds the limit of ``RateLimitInterceptor``. The
        /// request was not sent. ``ServiceError/retryAfter`` is the time to wait.
        public static let rateLimited: Self = .init("rate-limited")
        /// The request permits only a stored response, and ``CacheInterceptor`` has none that can be used
        /// (``CacheMode/onlyIfCached``, or the directive `only-if-cached`).
        public static let notCached: Self = .init("not-cached")
        /// The session failed for a reason without a specific code.
        public static let transport: Self = .init("transport")
        /// The validators of the handler did not accept the status.
        public static let status: Self = .init("status")
        /// A validator rejected the response for a reason other than its status.
        public static let validation: Self = .init("validation")
        /// The body could not be decoded to the value of the handler.
        public static let decoding: Self = .init("decoding")
        /// Credentials are missing: no user is signed in, the sign-in has ended, or the authorization server refused
        /// the request or sent an invalid response. ``ServiceError/oauthError`` is the error of the authorization
        /// server.
        public static let authorization: Self = .init("authorization")
        /// The token lacks a scope that the server requires. ``ServiceError/insufficientScope`` has the required scope.
        public static let insufficientScope: Self = .init("insufficient-scope")
    }
}
