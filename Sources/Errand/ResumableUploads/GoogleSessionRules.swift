/// The messages of the upload sessions of Google's APIs
/// (<https://cloud.google.com/storage/docs/performing-resumable-uploads>).
package struct GoogleSessionRules: UploadRules {
    package let content: UploadContent.Facts

    package init(_ content: UploadContent.Facts) {
        self.content = content
    }

    package var granularity: Int64 { 256 << 10 }

    package func prepare(_ request: inout APIRequest, for step: UploadStep) {
        // In this protocol, status 308 is not a redirect.
        if step != .create { request.options.redirects = .manual }
        // The identifier of the session permits to continue it.
        request.options.redaction.hide("upload_id")
        var head = request.head
        switch step {
        case .create:
            let hasMetadata = request.body != .none
            head.setValue("\(content.size)", forHTTPHeaderField: "X-Upload-Content-Length")
            let type = hasMetadata ? nil : head.value(forHTTPHeaderField: "Content-Type")
            if let type, head.value(forHTTPHeaderField: "X-Upload-Content-Type") == nil {
                head.setValue(type, forHTTPHeaderField: "X-Upload-Content-Type")
            }
            if !hasMetadata { head.setValue(nil, forHTTPHeaderField: "Content-Type") }
        case .findOffset:
            head.httpMethod = HTTPMethod.put.rawValue
            head.setValue("bytes */\(content.size)", forHTTPHeaderField: "Content-Range")
        case .send(let range):
            head.httpMethod = HTTPMethod.put.rawValue
            let bytes = range.isEmpty ? "*" : "\(range.lowerBound)-\(range.upperBound - 1)"
            head.setValue("bytes \(bytes)/\(content.size)", forHTTPHeaderField: "Content-Range")
        }
        request.head = head
    }

    package func meaning(of head: ResponseHead, after step: UploadStep) throws(ServiceError) -> UploadMeaning {
        switch (head.status, step) {
        case (200..<300, .create): return try creation(head)
        case (200..<300, _): return .final
        case (308, .findOffset), (308, .send): return .stored(try stored(head.headers), nil)
        default: return try meaning(ofFailure: head, after: step)
        }
    }

    /// Returns the number of stored bytes. Without a `Range` header, it is zero.
    private func stored(_ headers: HeaderFields) throws(ServiceError) -> Int64 {
        guard let text = headers["Range"] else { return 0 }
        let bytes = text.hasPrefix("bytes=") ? text.dropFirst(6) : text[...]
        guard headers.single("Range") != nil, bytes.hasPrefix("0-"), let last = Int64(digits: bytes.dropFirst(2)),
            last < .max
        else {
            throw ServiceError(.badResponse, "invalid Range of the stored bytes: expected bytes=0-N")
        }
        return last + 1
    }
}
