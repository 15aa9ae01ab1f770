import ErrandSupport

extension ServiceError {
    /// Converts an error. A ``ServiceError`` is unchanged. Cancellation, decoding, encoding and `URLError` errors get
    /// specific codes. Other errors get the given code.
    package init(wrapping error: any Error, as code: Code, _ reason: String) {
        switch error {
        case let error as ServiceError: self = error
        case is CancellationError: self = .cancellation()
        case let error as URLError: self.init(error, as: code, reason)
        case let error as DecodingError: self.init(.decoding, error.reason, underlying: error)
        case let error as EncodingError: self.init(.encoding, error.reason, underlying: error)
        default: self.init(code, "\(reason) (\(Self.kind(of: error)))", underlying: error)
        }
    }

    /// Returns the type of an error, or the domain and the code of an `NSError`. The text is omitted, because it may
    /// contain secrets.
    static func kind(of error: any Error) -> String {
        guard type(of: error) == NSError.self else { return "\(type(of: error))" }
        let error = error as NSError
        return "\(error.domain.singleLine(limit: 64)) \(error.code)"
    }

    package static func cancellation() -> ServiceError {
        ServiceError(.cancelled, "the call was cancelled", underlying: CancellationError())
    }

    /// Returns the error for a body that exceeds a size limit.
    package static func bodyTooLarge(_ limit: Int) -> ServiceError {
        ServiceError(.bodyTooLarge, "expected a body of at most \(limit) bytes, found more")
    }

    private init(_ error: URLError, as code: Code, _ reason: String) {
        if error.code == .cancelled {
            self = .cancellation()
        } else {
            let code = Code(error.code) ?? code
            self.init(code, "\(reason) (URLError \(error.code.rawValue))", underlying: error)
        }
    }
}

extension ServiceError.Code {
    /// Creates the code for a `URLError`. Returns `nil` if no specific code exists.
    package init?(_ code: URLError.Code) {
        switch code {
        case .timedOut: self = .timeout
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .dataNotAllowed,
            .internationalRoamingOff, .callIsActive:
            self = .connection
        case .networkConnectionLost: self = .connectionLost
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            self = .tls
        case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData:
            self = .badResponse
        case .dataLengthExceedsMaximum: self = .bodyTooLarge
        case .badURL, .unsupportedURL: self = .encoding
        default: return nil
        }
    }
}
