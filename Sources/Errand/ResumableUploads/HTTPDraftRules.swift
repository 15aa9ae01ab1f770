import ErrandSupport

/// The messages of draft-ietf-httpbis-resumable-upload-12.
package struct HTTPDraftRules: UploadRules {
    /// The version of the messages (appendix "Draft Version Identification").
    private static let interopVersion = "8"

    package let content: UploadContent.Facts

    package init(_ content: UploadContent.Facts) {
        self.content = content
    }

    package func prepare(_ request: inout APIRequest, for step: UploadStep) {
        var head = request.head
        head.setValue(Self.interopVersion, forHTTPHeaderField: "Upload-Draft-Interop-Version")
        switch step {
        case .create:
            head.setValue("?0", forHTTPHeaderField: "Upload-Complete")
            head.setValue("\(content.size)", forHTTPHeaderField: "Upload-Length")
            if let name = content.name, head.value(forHTTPHeaderField: "Content-Disposition") == nil {
                head.setValue(Self.disposition(name), forHTTPHeaderField: "Content-Disposition")
            }
        case .findOffset:
            head.httpMethod = HTTPMethod.head.rawValue
        case .send(let range):
            head.httpMethod = HTTPMethod.patch.rawValue
            // The request without bytes asks for the response of a complete upload, or completes it.
            let isLast = range.upperBound == content.size || range.isEmpty
            head.setValue(isLast ? "?1" : "?0", forHTTPHeaderField: "Upload-Complete")
            head.setValue("\(range.lowerBound)", forHTTPHeaderField: "Upload-Offset")
            head.setValue("application/partial-upload", forHTTPHeaderField: "Content-Type")
        }
        request.head = head
    }

    /// Returns a header with a file name in both forms (RFC 6266, section 4.3). In the first form, characters other
    /// than letters, digits and a few others are replaced.
    private static func disposition(_ name: String) -> String {
        let plain = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || " -_.".contains($0)) ? $0 : "_" })
        return #"inline; filename="\#(plain)"; filename*=UTF-8''\#(name.percentEncoded(keepingReserved: false))"#
    }

    package func meaning(of head: ResponseHead, after step: UploadStep) throws(ServiceError) -> UploadMeaning {
        let isComplete = StructuredField.boolean(head.headers.single("Upload-Complete"))
        // Such a response has the status of the API call, which may be an error. The response to HEAD does not have it.
        if isComplete == true, step != .findOffset { return .final }
        guard head.isSuccess else { return try meaning(ofFailure: head, after: step) }
        let limits = UploadLimits(head.headers.combined("Upload-Limit"))
        let offset = StructuredField.integer(head.headers.single("Upload-Offset"))
        switch step {
        case .create: return try creation(head, limits ?? UploadLimits())
        case .send(let range): return .stored(offset ?? range.upperBound, limits)
        case .findOffset:
            let length = StructuredField.integer(head.headers.single("Upload-Length"))
            if let length, length != content.size { throw .uploadLength(length, of: content) }
            // The server may have completed the upload before it has stored all bytes.
            if isComplete == true { return .complete(offset ?? content.size) }
            guard let offset else { throw .uploadOffset }
            return .stored(offset, limits)
        }
    }
}
