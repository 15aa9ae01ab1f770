import ErrandSupport

extension MultipartBody {
    /// Checks the boundary, and the content types and headers of the parts, so that no argument can forge a header or
    /// another part.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding``. The reason contains no values.
    func check() throws(ServiceError) {
        if let boundary {
            guard Self.isValid(boundary) else {
                throw ServiceError(
                    .encoding, "invalid multipart boundary: expected 1 to 70 characters of RFC 2046, section 5.1.1")
            }
            guard !containsDelimiter(boundary) else {
                throw ServiceError(
                    .encoding, "the multipart boundary occurs in a part: pass another one, or nil for a random one")
            }
        }
        for (index, part) in parts.enumerated() {
            guard let flaw = part.flaw else { continue }
            throw ServiceError(.encoding, "invalid part \(index + 1) of the multipart body: \(flaw)")
        }
    }

    /// Whether a text is a boundary that does not need to be escaped (RFC 2046, section 5.1.1).
    static func isValid(_ boundary: String) -> Bool {
        (1...70).contains(boundary.utf8.count) && boundary.utf8.last != UInt8(ascii: " ")
            && boundary.utf8.allSatisfy { $0.isAlphanumeric || "'()+_,-./:=? ".utf8.contains($0) }
    }
}

extension MultipartBody.Part {
    private static let ownHeaders = ["Content-Disposition", "Content-Type", "Content-Length"]

    /// The reason why this part cannot be sent, without values. `nil` if the part is valid.
    fileprivate var flaw: String? {
        if contentType?.utf8.contains(where: \.isControl) == true {
            return "expected a content type without control characters, found one"
        }
        for field in headers {
            if let flaw = field.flaw { return flaw }
            if field.value.utf8.contains(where: \.isControl) {
                return "invalid value of \(field.name): found a control character"
            }
            if Self.ownHeaders.contains(where: field.isNamed) {
                return "\(field.name) is set by the body: pass the file name and the content type of the part instead"
            }
        }
        return nil
    }
}

extension UInt8 {
    /// Whether this is a control character other than a tab, which header values must not contain (RFC 9110, section
    /// 5.5).
    fileprivate var isControl: Bool { self < 0x20 && self != 0x09 || self == 0x7F }
}
