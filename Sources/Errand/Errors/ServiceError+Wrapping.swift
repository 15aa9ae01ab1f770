import ErrandSupport

extension ServiceError {
    /// Turns whatever a step threw into the one error: a ``ServiceError`` stays, cancellation and decoding errors get
    /// their own codes, everything else gets the step's.
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

    /// What an error of somebody else's is called, without its text, which may hold anything.
    static func kind(of error: any Error) -> String {
        guard type(of: error) == NSError.self else { return "\(type(of: error))" }
        let error = error as NSError
        return "\(error.domain.singleLine(limit: 64)) \(error.code)"
    }

    package static func cancellation() -> ServiceError {
        ServiceError(.cancelled, "the call was cancelled", underlying: CancellationError())
    }

    /// The error of a body that is larger than the call's cap.
    package static func bodyTooLarge(_ limit: Int) -> ServiceError {
        ServiceError(.bodyTooLarge, "the body has more than \(limit) bytes")
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
    /// The code for an error of Foundation's, nil where that says nothing.
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
