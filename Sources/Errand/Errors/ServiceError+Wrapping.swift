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

extension DecodingError {
    /// Where and why decoding failed, without any value of the body.
    package var reason: String {
        switch self {
        case .keyNotFound(let key, let context): Self.place(context.codingPath + [key]) + " is missing"
        case .typeMismatch(let type, let context): Self.place(context.codingPath) + " is not \(Self.name(of: type))"
        case .valueNotFound(let type, let context):
            Self.place(context.codingPath) + " is null, expected \(Self.name(of: type))"
        case .dataCorrupted(let context): Self.place(context.codingPath) + " " + Self.fault(context)
        @unknown default: "the body can't be decoded"
        }
    }

    private static func fault(_ context: Context) -> String {
        if let form = context.underlyingError as? ExpectedForm { return "is not \(form.words)" }
        return isNoJSON(context) ? "is not valid JSON" : "can't be read"
    }

    /// What `JSONDecoder` says on every platform where it could not even take the text apart; there is no other sign.
    private static func isNoJSON(_ context: Context) -> Bool {
        context.debugDescription == "The given data was not valid JSON."
    }

    /// Whether what was to be decoded is no JSON.
    package var isNoJSON: Bool {
        if case .dataCorrupted(let context) = self { Self.isNoJSON(context) } else { false }
    }

    /// A type as the JSON's author would say it, where decoders speak of containers.
    private static func name(of type: any Any.Type) -> String {
        let name = "\(type)"
        if name.hasPrefix("Array<") { return "an array" }
        return name.hasPrefix("Dictionary<") ? "an object" : "of type \(name)"
    }

    static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "the body" : path.joinedPath.singleLine(limit: 256)
    }
}

extension EncodingError {
    /// Where encoding failed, without any value.
    package var reason: String {
        switch self {
        case .invalidValue(_, let context): "\(DecodingError.place(context.codingPath)) can't be encoded"
        @unknown default: "a value can't be encoded"
        }
    }
}

/// The form that a text should have had, as the cause of a `DecodingError`.
struct ExpectedForm: Error {
    let words: String
}
