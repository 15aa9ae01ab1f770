#if os(Linux)
    import CErrandCurl

    /// Gives libcurl's errors a code.
    enum CurlFailure {
        private static let codes: [Int32: ServiceError.Code] = [
            1: .badResponse, 3: .encoding, 5: .connection, 6: .connection, 7: .connection, 8: .badResponse,
            16: .badResponse, 18: .connectionLost, 26: .encoding, 27: .badResponse, 28: .connection, 35: .tls,
            42: .encoding, 43: .badResponse, 45: .connection, 52: .connectionLost, 53: .tls, 54: .tls,
            55: .connectionLost,
            56: .connectionLost, 58: .tls, 59: .tls, 60: .certificate, 65: .connectionLost, 66: .tls, 77: .tls,
            80: .tls, 82: .tls, 83: .tls, 90: .certificatePin, 91: .certificate, 92: .connectionLost, 97: .connection,
            98: .tls, 100: .badResponse,
        ]

        /// What libcurl says less clearly than it might.
        private static let sentences: [Int32: String] = [
            27: "a header line is longer than libcurl takes", 43: "the head begins with a folded line",
        ]

        /// What OpenSSL says of a certificate whose dates are the matter: not yet valid, or expired.
        private static let dates: Set<Int> = [9, 10]

        /// What libcurl says where the bytes, not the connection, are the matter, whatever code it gives that.
        private static let wireFlaws = [
            "chunk", "Header", "header", "Nul byte", "Invalid Content-Length", "unsupported",
        ]

        /// libcurl's own words, but where they hold a proxy's address, in which there may be a password.
        private static func text(_ code: Int32, _ message: String) -> String {
            if let sentence = sentences[code] { return sentence }
            let isSafe = !message.isEmpty && !message.contains("://") && !message.hasPrefix("Unsupported proxy")
            return isSafe ? message : String(cString: errand_curl_error(code))
        }

        static func classify(_ code: Int32, _ report: CurlReport, of handle: OpaquePointer) -> ServiceError {
            let message = String(cString: errand_transfer_message(handle))
            return ServiceError(
                kind(code, report, message), "\(text(code, message).singleLine(limit: 200)) (libcurl \(code))")
        }

        private static func kind(_ code: Int32, _ report: CurlReport, _ message: String) -> ServiceError.Code {
            switch code {
            case 60 where dates.contains(report.verifyResult): .certificateExpired
            case 60 where message.contains("target host name"): .certificateHost
            // A proxy that refuses the tunnel: nothing was sent to the server.
            case 56 where message.contains("CONNECT"): .connection
            // With TLS 1.3 a server refuses the client's certificate behind its own end of the handshake.
            case 55 where message.isAlert, 56 where message.isAlert: .tls
            case 56 where wireFlaws.contains { message.contains($0) }: .badResponse
            default: codes[code] ?? .transport
            }
        }
    }

    extension String {
        /// Whether this is about an alert of TLS.
        fileprivate var isAlert: Bool { contains("SSL") && contains("alert") }
    }
#endif
