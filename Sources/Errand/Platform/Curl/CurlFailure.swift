#if os(Linux)
    import ErrandSupport
    import CErrandCurl

    /// A failure that libcurl reports, and its error code.
    ///
    /// The error code is derived from the `CURLcode`, OpenSSL's verification result, and whether a connection was established.
    /// The message is used only if several causes have the same numbers.
    package struct CurlFailure: Sendable {
        /// The `CURLcode`.
        package var code: Int32
        /// libcurl's message. May be empty.
        package var message: String
        /// OpenSSL's verification result (`X509_V_…`). libcurl sets ``unverified`` when it prepares a handshake.
        package var verifyResult: Int
        /// Whether a connection to the server was established, including the handshake for https.
        package var wasConnected: Bool

        package init(code: Int32, message: String, verifyResult: Int = 0, wasConnected: Bool = true) {
            self.code = code
            self.message = message
            self.verifyResult = verifyResult
            self.wasConnected = wasConnected
        }

        private static let kinds: [Int32: ServiceError.Code] = [
            1: .badResponse, 3: .encoding, 5: .connection, 6: .connection, 7: .connection, 8: .badResponse,
            16: .badResponse, 18: .connectionLost, 26: .encoding, 27: .badResponse, 28: .connection, 35: .tls,
            42: .encoding, 43: .badResponse, 45: .connection, 52: .connectionLost, 53: .tls, 54: .tls,
            55: .connectionLost,
            56: .connectionLost, 58: .tls, 59: .tls, 60: .certificate, 65: .connectionLost, 66: .tls, 77: .tls,
            80: .tls, 82: .tls, 83: .tls, 90: .certificatePin, 91: .certificate, 92: .connectionLost, 97: .connection,
            98: .tls, 100: .badResponse,
        ]

        /// `X509_V_ERR_UNSPECIFIED`: the chain was neither rejected nor accepted.
        private static let unverified = 1
        /// `X509_V_ERR_CERT_NOT_YET_VALID` and `X509_V_ERR_CERT_HAS_EXPIRED`.
        private static let dates: Set<Int> = [9, 10]

        /// The code of the error.
        package var kind: ServiceError.Code {
            if let kind = Self.texts.first(where: { $0.codes.contains(code) && message.contains($0.phrase) })?.kind {
                return kind
            }
            return switch code {
            // An invalid client key is 43 in 8.16.0 and later, and 58 before. After the handshake, 43 is a folded line.
            case 43 where verifyResult == Self.unverified && !wasConnected: .tls
            // Nothing was sent to the server, such as if the proxy refuses a tunnel. That is 7 in 8.20.0 and later.
            case 52 where !wasConnected, 55 where !wasConnected, 56 where !wasConnected: .connection
            case 60 where Self.dates.contains(verifyResult): .certificateExpired
            // libcurl compares the names after OpenSSL has accepted the chain, and stores OpenSSL's result only after that.
            case 60 where verifyResult == Self.unverified: .certificateHost
            default: Self.kinds[code] ?? .transport
            }
        }
    }

    extension CurlFailure {
        /// A phrase that distinguishes causes with the same numbers.
        private struct Text {
            let codes: Set<Int32>
            let phrase: String
            let kind: ServiceError.Code
        }

        /// The phrases of libcurl 7.76.0 to 8.23.0. `CurlFailureTests` lists the messages of each version.
        private static let texts = [
            // With TLS 1.3, a server refuses the client's certificate after the client has finished the handshake.
            Text(codes: [55, 56], phrase: " alert ", kind: .tls),
            // With TLS 1.2, a server reports that the client's certificate has expired.
            Text(codes: [60], phrase: "SSL certificate verification failed", kind: .tls),
            // "… in chunked-encoding". In 8.7.0 and later also "chunk hex-length …" and "invalid chunk size".
            Text(codes: [56], phrase: "chunk", kind: .badResponse),
            // In 8.4.0 and later. In 8.6.0 and later, a single line that is too long is 100.
            Text(codes: [56], phrase: "Too large response headers", kind: .badResponse),
        ]

        /// The error to throw.
        var error: ServiceError { ServiceError(kind, "\(text.singleLine(limit: 200)) (libcurl \(code))") }

        /// libcurl's message, unless it contains the URL of a proxy, which may contain a password.
        private var text: String {
            switch (code, kind) {
            case (27, _): return "a header line is longer than libcurl takes"
            case (65, _): return "the connection was lost, and the request must not be sent again"
            case (43, .badResponse): return "the head begins with a folded line"
            default:
                let isSafe = !message.isEmpty && !message.contains("://") && !message.hasPrefix("Unsupported proxy")
                return isSafe ? message : String(cString: errand_curl_error(code))
            }
        }
    }
#endif
