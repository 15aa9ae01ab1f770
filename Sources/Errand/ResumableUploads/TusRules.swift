import ErrandSupport

/// The messages of tus 1.0.0. Sections are those of <https://tus.io/protocols/resumable-upload>.
package struct TusRules: UploadRules {
    package let content: UploadContent.Facts

    package init(_ content: UploadContent.Facts) {
        self.content = content
    }

    package func prepare(_ request: inout APIRequest, for step: UploadStep) {
        var head = request.head
        head.setValue("1.0.0", forHTTPHeaderField: "Tus-Resumable")
        switch step {
        case .create:
            head.setValue("\(content.size)", forHTTPHeaderField: "Upload-Length")
            if head.value(forHTTPHeaderField: "Upload-Metadata") == nil {
                let type = head.value(forHTTPHeaderField: "Content-Type")
                head.setValue(metadata(type), forHTTPHeaderField: "Upload-Metadata")
            }
            // The request has no content. With another type, it would be "Creation With Upload".
            head.setValue(nil, forHTTPHeaderField: "Content-Type")
        case .findOffset:
            head.httpMethod = HTTPMethod.head.rawValue
        case .send(let range):
            head.httpMethod = HTTPMethod.patch.rawValue
            head.setValue("application/offset+octet-stream", forHTTPHeaderField: "Content-Type")
            head.setValue("\(range.lowerBound)", forHTTPHeaderField: "Upload-Offset")
        }
        request.head = head
    }

    /// Returns `Upload-Metadata` for a file, or for a known media type (section "Creation").
    private func metadata(_ type: String?) -> String? {
        var pairs: [String] = []
        if let name = content.name { pairs.append("filename \(Data(name.utf8).base64EncodedString())") }
        if let type = type ?? content.name.map({ _ in "application/octet-stream" }) {
            pairs.append("filetype \(Data(type.utf8).base64EncodedString())")
        }
        return pairs.isEmpty ? nil : pairs.joined(separator: ",")
    }

    package func meaning(of head: ResponseHead, after step: UploadStep) throws(ServiceError) -> UploadMeaning {
        guard head.isSuccess else { return try meaning(ofFailure: head, after: step) }
        if step == .create { return content.size == 0 ? .final : try creation(head) }
        let length = head.headers.single("Upload-Length").map(Int64.init(digits:))
        if step == .findOffset, let length, length != content.size { throw .uploadLength(length, of: content) }
        guard let offset = head.headers.single("Upload-Offset").flatMap(Int64.init(digits:)) else {
            throw .uploadOffset
        }
        return offset == content.size ? .final : .stored(offset, nil)
    }
}

extension Int64 {
    /// Creates a number from decimal digits without a sign.
    init?(digits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        self.init(text)
    }
}
