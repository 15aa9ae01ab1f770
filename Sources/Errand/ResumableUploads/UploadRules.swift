/// The messages of one protocol for resumable uploads. Implementations are pure.
package protocol UploadRules: Sendable {
    /// Creates the rules for a content.
    init(_ content: UploadContent.Facts)

    /// The content of the upload.
    var content: UploadContent.Facts { get }

    /// The number of bytes of which a chunk is a multiple, unless it is the last one.
    var granularity: Int64 { get }

    /// Sets the method and the headers of the request of a step.
    ///
    /// - Parameters:
    ///   - request: The request of the handler for ``UploadStep/create``. For other steps, a request to the URL of the
    ///     upload without headers that describe content.
    ///   - step: The step.
    func prepare(_ request: inout APIRequest, for step: UploadStep)

    /// Returns the meaning of the response to the request of a step.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` if the response violates the protocol.
    func meaning(of head: ResponseHead, after step: UploadStep) throws(ServiceError) -> UploadMeaning
}

/// A request of an upload.
package enum UploadStep: Sendable, Hashable {
    /// Creates the upload.
    case create
    /// Asks for the number of stored bytes.
    case findOffset
    /// Sends bytes of the content.
    case send(Range<Int64>)
}

/// The meaning of a response.
package enum UploadMeaning: Sendable, Hashable {
    /// The upload was created. It has this URL reference and these limits.
    case created(String, UploadLimits)
    /// The server has stored this number of bytes. The limits are `nil` if the response has none.
    case stored(Int64, UploadLimits?)
    /// The upload is complete with this number of stored bytes, but the response is not that of the API call.
    case complete(Int64)
    /// The response is that of the API call.
    case final
    /// The upload does not exist on the server.
    case missing
    /// The failure may be temporary.
    case interrupted
    /// The server rejected the size of the request.
    case tooLarge
    /// The failure is permanent.
    case rejected
}

extension UploadRules {
    package var granularity: Int64 { 1 }

    /// Returns the meaning of a response that is not a success.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` if the status is below 400.
    func meaning(ofFailure head: ResponseHead, after step: UploadStep) throws(ServiceError) -> UploadMeaning {
        switch head.status {
        case ..<400:
            throw ServiceError(.badResponse, "unexpected status \(head.status) in a resumable upload")
        case 404, 410: step == .create ? .rejected : .missing
        case 409: step == .create ? .rejected : .interrupted
        case 408, 423, 425, 429, 500...: .interrupted
        case 413: .tooLarge
        default: .rejected
        }
    }

    /// Returns the meaning of a successful creation.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` without exactly one `Location` header.
    func creation(_ head: ResponseHead, _ limits: UploadLimits = UploadLimits()) throws(ServiceError) -> UploadMeaning {
        let locations = head.headers.all("Location")
        guard let location = locations.first, locations.count == 1, !location.isEmpty else {
            throw ServiceError(
                .badResponse, "expected one Location header with the URL of the upload, found \(locations.count)")
        }
        return .created(location, limits)
    }
}

extension HeaderFields {
    /// The value of a header that occurs once. `nil` if it is missing or repeated.
    func single(_ name: String) -> String? {
        let values = all(name)
        return values.count == 1 ? values.first : nil
    }
}

extension ServiceError {
    static var uploadOffset: ServiceError {
        ServiceError(.badResponse, "expected an Upload-Offset header with the number of stored bytes")
    }

    static func uploadLength(_ length: Int64?, of content: UploadContent.Facts) -> ServiceError {
        ServiceError(
            .badResponse,
            "expected an Upload-Length of \(content.size), found \(length.map(String.init) ?? "no number"): "
                + "the URL is that of another upload")
    }
}
