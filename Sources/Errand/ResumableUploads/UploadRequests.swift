/// Makes the requests of an upload from the request of the handler.
struct UploadRequests: Sendable {
    /// The request of the handler, with the metadata as its body.
    private var creation: APIRequest
    private let rules: any UploadRules

    /// The headers that describe the content or the conditions of the creation request, in lowercase.
    private static let creationNames: Set<String> = [
        "digest", "expect", "idempotency-key", "last-modified", "prefer", "range", "repr-digest", "want-content-digest",
        "want-repr-digest",
    ]
    private static let creationPrefixes = ["content-", "if-", "upload-", "x-upload-", "tus-"]
    /// The headers of the protocols. They are not secret, and are kept after a redirect.
    private static let protocolNames: Set<String> = [
        "Tus-Resumable", "Upload-Complete", "Upload-Draft-Interop-Version", "Upload-Length", "Upload-Metadata",
        "Upload-Offset", "X-Upload-Content-Length", "X-Upload-Content-Type",
    ]

    init(creation: APIRequest, rules: any UploadRules) {
        (self.creation, self.rules) = (creation, rules)
    }

    /// Replaces the `Idempotency-Key` of the creation request, if it has one. A server that knows the key would respond
    /// with the URL of the upload that it has lost.
    mutating func renewKey(from random: any RandomSource) {
        let field = RequestOptions.Idempotency.field
        guard creation.value(ofField: field) != nil else { return }
        creation.head.setValue(random.uuid(), forHTTPHeaderField: field)
    }

    /// Returns the request of a step.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - upload: The upload, or `nil` before its creation.
    ///   - content: The content of the upload.
    /// - Returns: The request.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the content has changed.
    func request(
        for step: UploadStep, to upload: UploadResource?, _ content: UploadContent
    ) throws(ServiceError) -> APIRequest {
        var request = creation
        request.options.redirects.crossOriginHeaders.formUnion(Self.protocolNames)
        if let upload, step != .create { address(&request, to: upload) }
        rules.prepare(&request, for: step)
        if case .send(let range) = step {
            request.body = try content.part(range)
            // After a failure, the server must first tell the number of stored bytes.
            request.options.idempotency = .never
        }
        return request
    }

    /// Changes the URL, and removes the body and the headers that belong to the creation request. If another origin has
    /// or has chosen the URL, the headers that a redirect would drop are removed too.
    private func address(_ request: inout APIRequest, to upload: UploadResource) {
        // The value is data of a file.
        let isSameOrigin = upload.isSameOrigin && Origin(upload.url) == Origin(creation.url)
        let options = creation.options
        var head = request.head
        head.url = upload.url
        head.allHTTPHeaderFields = head.allHTTPHeaderFields?.filter { field in
            let name = field.key.lowercased()
            guard !Self.creationNames.contains(name), !Self.creationPrefixes.contains(where: { name.hasPrefix($0) })
            else { return false }
            return isSameOrigin ? true : options.keepsAcrossOrigins(field.key)
        }
        request.head = head
        // Such requests have no body, but a `Content-Length` of 0.
        request.body = .none
        request.options.idempotency = .byMethod
        request.options.precondition = nil
        request.options.maker = nil
        request.options.cachePolicy = .reloadIgnoringLocalCacheData
    }
}
