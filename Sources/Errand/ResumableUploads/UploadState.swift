import ErrandSupport

/// The state of an upload that a later run continues.
package struct UploadState: Sendable, Hashable, Codable {
    /// The version of the format of the file.
    package static let version: Int = 2

    package private(set) var version: Int = Self.version
    /// The name of the protocol.
    package let `protocol`: String
    /// The URL of the creation request, with masked secrets.
    package let creation: String
    /// The hash of the other parts of the creation request that determine the upload, and of its account.
    package let request: String
    /// The content of the upload.
    package let content: UploadContent.Identity
    /// The upload, or `nil` before it is created.
    package var upload: UploadResource?

    /// Creates the state of an upload that is not created yet.
    package init(protocol: String, creation: APIRequest, content: UploadContent.Identity) {
        self.protocol = `protocol`
        self.creation = creation.url.map(creation.options.redaction.url) ?? ""
        request = Self.digest(of: creation)
        self.content = content
    }

    /// Whether another state is one of the same upload.
    func continues(_ other: UploadState) -> Bool {
        var other = other
        other.upload = upload
        return self == other
    }
}

extension UploadState {
    /// The prefixes of the headers that describe the content, in lowercase.
    private static let descriptionPrefixes = ["content-", "upload-", "x-upload-"]

    /// Returns the SHA-256 hash of the method, the body, the headers that describe the content, and the account.
    ///
    /// The account is the identity of the request. Without one, it is the headers with credentials. Query items with
    /// credentials are not included, because those of a signed URL change with each request.
    private static func digest(of request: APIRequest) -> String {
        var hash = SHA256()
        hash.add(request.method.rawValue.utf8)
        hash.add(bytes(of: request.body))
        let headers = request.headers.sorted { $0.name.lowercased() < $1.name.lowercased() }
        hash.add(headers.filter { header in descriptionPrefixes.contains { header.name.lowercased().hasPrefix($0) } })
        if let identity = request.options.identity {
            hash.add(identity.name.utf8)
        } else {
            hash.add(headers.filter { request.options.redaction.hides($0.name) })
        }
        return hash.finish().hexadecimal
    }

    /// Returns the bytes of the metadata. JSON is sorted, because an encoder can write its members in another order in
    /// each process.
    private static func bytes(of body: RequestBody) -> Data {
        guard let data = body.data else { return Data() }
        guard !CombiningMarks.exceedLimit(inJSON: data), let json = try? JSONSerialization.jsonObject(with: data),
            let sorted = try? JSONSerialization.data(withJSONObject: json, options: .sortedKeys)
        else { return data }
        return sorted
    }
}

extension SHA256 {
    /// Adds bytes after their number, so that equal hashes have equal values.
    fileprivate mutating func add(_ bytes: some Collection<UInt8>) {
        update("\(bytes.count) ".utf8)
        update(bytes)
    }

    fileprivate mutating func add(_ headers: [HeaderFields.Field]) {
        update("\(headers.count) ".utf8)
        for header in headers {
            add(header.name.lowercased().utf8)
            add(header.value.utf8)
        }
    }
}
