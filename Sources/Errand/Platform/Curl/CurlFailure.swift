#if os(Linux)
    import ErrandSupport
    import CErrandCurl

    /// A failure that libcurl reports, and its error code.
    ///
    /// The error code is derived from the `CURLcode`, OpenSSL's verification result, and whether a connection was
    /// established. The message is used only if several causes have the same numbers.
    package struct CurlFailure: Sendable {
        /// The `CURLcode` (`ERRAND_CURLE_…`).
        package var code: Int
        /// libcurl's message. May be empty.
        package var message: String
        /// OpenSSL's verification result (`ERRAND_X509_V_…`). libcurl sets ``unverified`` when it prepares a handshake.
        package var verifyResult: Int
        /// Whether a connection to the server was established, including the handshake for https.
        package var wasConnected: Bool

        package init(code: Int, message: String, verifyResult: Int = 0, wasConnected: Bool = true) {
            self.code = code
            self.message = message
            self.verifyResult = verifyResult
            self.wasConnected = wasConnected
        }

        private static let kinds: [Int: ServiceError.Code] = [
            ERRAND_CURLE_UNSUPPORTED_PROTOCOL: .badResponse,
            ERRAND_CURLE_URL_MALFORMAT: .encoding,
            ERRAND_CURLE_COULDNT_RESOLVE_PROXY: .connection,
            ERRAND_CURLE_COULDNT_RESOLVE_HOST: .connection,
            ERRAND_CURLE_COULDNT_CONNECT: .connection,
            ERRAND_CURLE_WEIRD_SERVER_REPLY: .badResponse,
            ERRAND_CURLE_HTTP2: .badResponse,
            ERRAND_CURLE_PARTIAL_FILE: .connectionLost,
            ERRAND_CURLE_READ_ERROR: .encoding,
            ERRAND_CURLE_OUT_OF_MEMORY: .badResponse,
            ERRAND_CURLE_OPERATION_TIMEDOUT: .connection,
            ERRAND_CURLE_SSL_CONNECT_ERROR: .tls,
            ERRAND_CURLE_ABORTED_BY_CALLBACK: .encoding,
            ERRAND_CURLE_BAD_FUNCTION_ARGUMENT: .badResponse,
            ERRAND_CURLE_INTERFACE_FAILED: .connection,
            ERRAND_CURLE_GOT_NOTHING: .connectionLost,
            ERRAND_CURLE_SSL_ENGINE_NOTFOUND: .tls,
            ERRAND_CURLE_SSL_ENGINE_SETFAILED: .tls,
            ERRAND_CURLE_SEND_ERROR: .connectionLost,
            ERRAND_CURLE_RECV_ERROR: .connectionLost,
            ERRAND_CURLE_SSL_CERTPROBLEM: .tls,
            ERRAND_CURLE_SSL_CIPHER: .tls,
            ERRAND_CURLE_PEER_FAILED_VERIFICATION: .certificate,
            ERRAND_CURLE_SEND_FAIL_REWIND: .connectionLost,
            ERRAND_CURLE_SSL_ENGINE_INITFAILED: .tls,
            ERRAND_CURLE_SSL_CACERT_BADFILE: .tls,
            ERRAND_CURLE_SSL_SHUTDOWN_FAILED: .tls,
            ERRAND_CURLE_SSL_CRL_BADFILE: .tls,
            ERRAND_CURLE_SSL_ISSUER_ERROR: .tls,
            ERRAND_CURLE_SSL_PINNEDPUBKEYNOTMATCH: .certificatePin,
            ERRAND_CURLE_SSL_INVALIDCERTSTATUS: .certificate,
            ERRAND_CURLE_HTTP2_STREAM: .connectionLost,
            ERRAND_CURLE_PROXY: .connection,
            ERRAND_CURLE_SSL_CLIENTCERT: .tls,
            ERRAND_CURLE_TOO_LARGE: .badResponse,
        ]

        /// The chain was neither rejected nor accepted.
        private static let unverified = ERRAND_X509_V_ERR_UNSPECIFIED
        private static let dates: Set = [ERRAND_X509_V_ERR_CERT_NOT_YET_VALID, ERRAND_X509_V_ERR_CERT_HAS_EXPIRED]

        /// The code of the error.
        package var kind: ServiceError.Code {
            if let kind = Self.texts.first(where: { $0.codes.contains(code) && message.contains($0.phrase) })?.kind {
                return kind
            }
            return switch code {
            // An invalid client key is BAD_FUNCTION_ARGUMENT in 8.16.0 and later, and SSL_CERTPROBLEM before. After
            // the handshake, BAD_FUNCTION_ARGUMENT is a folded line.
            case ERRAND_CURLE_BAD_FUNCTION_ARGUMENT where verifyResult == Self.unverified && !wasConnected: .tls
            // Nothing was sent to the server, for example because the proxy refused a tunnel. In 8.20.0 and later this
            // is COULDNT_CONNECT.
            case ERRAND_CURLE_GOT_NOTHING where !wasConnected, ERRAND_CURLE_SEND_ERROR where !wasConnected,
                ERRAND_CURLE_RECV_ERROR where !wasConnected:
                .connection
            case ERRAND_CURLE_PEER_FAILED_VERIFICATION where Self.dates.contains(verifyResult): .certificateExpired
            // libcurl compares the names after OpenSSL has accepted the chain. It stores the result of OpenSSL later.
            case ERRAND_CURLE_PEER_FAILED_VERIFICATION where verifyResult == Self.unverified: .certificateHost
            default: Self.kinds[code] ?? .transport
            }
        }
    }

    extension CurlFailure {
        /// A phrase that distinguishes causes with the same numbers.
        private struct Text {
            let codes: Set<Int>
            let phrase: String
            let kind: ServiceError.Code
        }

        /// The phrases of libcurl 7.76.0 to 8.23.0. `CurlFailureTests` lists the messages of each version.
        private static let texts = [
            // With TLS 1.3, a server refuses the client's certificate after the client has finished the handshake.
            Text(codes: [ERRAND_CURLE_SEND_ERROR, ERRAND_CURLE_RECV_ERROR], phrase: " alert ", kind: .tls),
            // With TLS 1.2, a server reports that the client's certificate has expired.
            Text(
                codes: [ERRAND_CURLE_PEER_FAILED_VERIFICATION], phrase: "SSL certificate verification failed",
                kind: .tls),
            // "… in chunked-encoding". In 8.7.0 and later also "chunk hex-length …" and "invalid chunk size".
            Text(codes: [ERRAND_CURLE_RECV_ERROR], phrase: "chunk", kind: .badResponse),
            // In 8.4.0 and later. In 8.6.0 and later, a single line that is too long is TOO_LARGE.
            Text(codes: [ERRAND_CURLE_RECV_ERROR], phrase: "Too large response headers", kind: .badResponse),
        ]

        /// The error to throw.
        package var error: ServiceError { ServiceError(kind, "\(text.singleLine(limit: 200)) (libcurl \(code))") }

        /// libcurl's message, unless it contains the URL of a proxy, which may contain a password.
        private var text: String {
            switch (code, kind) {
            case (ERRAND_CURLE_OUT_OF_MEMORY, _): return "a header line is longer than libcurl accepts"
            case (ERRAND_CURLE_SEND_FAIL_REWIND, _):
                return "the connection was lost, and the request cannot be retried"
            case (ERRAND_CURLE_BAD_FUNCTION_ARGUMENT, .badResponse):
                return "the header section begins with a folded line"
            default:
                let isSafe = !message.isEmpty && !message.contains("://") && !message.hasPrefix("Unsupported proxy")
                return isSafe ? message : String(cString: errand_curl_error(Int32(code)))
            }
        }
    }
#endif
