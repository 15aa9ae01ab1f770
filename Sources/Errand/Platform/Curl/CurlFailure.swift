#if os(Linux)
    import CErrandCurl

    /// A failure as libcurl reports it, and its code.
    ///
    /// Numbers decide: the `CURLcode`, OpenSSL's verification result, and whether a connection stood. The text decides only if
    /// libcurl gives several causes the same numbers.
    package struct CurlFailure: Sendable {
        /// The `CURLcode`.
        package var code: Int32
        /// What libcurl says. May be empty.
        package var message: String
        /// OpenSSL's verification result (`X509_V_…`). libcurl sets ``unverified`` when it prepares a handshake.
        package var verifyResult: Int
        /// Whether there was a connection to the server, for https with a complete handshake.
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

        /// `X509_V_ERR_UNSPECIFIED`: the chain has not been found wrong, nor been accepted.
        private static let unverified = 1
        /// `X509_V_ERR_CERT_NOT_YET_VALID` and `X509_V_ERR_CERT_HAS_EXPIRED`.
        private static let dates: Set<Int> = [9, 10]

        /// The code of the error.
        package var kind: ServiceError.Code {
            if let kind = Self.texts.first(where: { $0.codes.contains(code) && message.contains($0.phrase) })?.kind {
                return kind
            }
            return switch code {
            // The client's key, from 8.16.0 on. Before, it is 58. After the handshake, 43 is a folded line.
            case 43 where verifyResult == Self.unverified && !wasConnected: .tls
            // Such as a tunnel that the proxy refuses: nothing was sent to the server. From 8.20.0 on it is 7.
            case 52 where !wasConnected, 55 where !wasConnected, 56 where !wasConnected: .connection
            case 60 where Self.dates.contains(verifyResult): .certificateExpired
            // libcurl compares the names once OpenSSL has accepted the chain, and notes the result of that after it.
            case 60 where verifyResult == Self.unverified: .certificateHost
            default: Self.kinds[code] ?? .transport
            }
        }
    }

    extension CurlFailure {
        /// A phrase that tells apart causes with the same numbers.
        private struct Text {
            let codes: Set<Int32>
            let phrase: String
            let kind: ServiceError.Code
        }

        /// The phrases of libcurl 7.76.0 to 8.23.0. `CurlFailureTests` has the texts of each version.
        private static let texts = [
            // A server with TLS 1.3 refuses the client's certificate after its own end of the handshake.
            Text(codes: [55, 56], phrase: " alert ", kind: .tls),
            // A server with TLS 1.2 says that the client's certificate has expired.
            Text(codes: [60], phrase: "SSL certificate verification failed", kind: .tls),
            // "… in chunked-encoding", and from 8.7.0 on also "chunk hex-length …" and "invalid chunk size".
            Text(codes: [56], phrase: "chunk", kind: .badResponse),
            // From 8.4.0 on, but 100 since 8.6.0 where a single line is too long.
            Text(codes: [56], phrase: "Too large response headers", kind: .badResponse),
        ]

        /// The error to throw.
        var error: ServiceError { ServiceError(kind, "\(text.singleLine(limit: 200)) (libcurl \(code))") }

        /// libcurl's text, unless it has the URL of a proxy, which may contain a password.
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
