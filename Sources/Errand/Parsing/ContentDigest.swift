import ErrandSupport

/// The digests of a `Content-Digest` or `Repr-Digest` header (RFC 9530).
package struct ContentDigest: Sendable, Hashable {
    /// A header with digests.
    package enum Header: String, Sendable, CaseIterable {
        /// The digest of the bytes of this message, which may be a part of the representation (section 2).
        case content = "Content-Digest"
        /// The digest of the complete representation with its content codings (section 3).
        case representation = "Repr-Digest"
    }

    /// The SHA-256 hash: 32 bytes.
    package let sha256: Data?
    /// The SHA-512 hash: 64 bytes.
    package let sha512: Data?

    /// Parses a header of a message. Returns `nil` if the header is missing or malformed, or has no hash of a known
    /// algorithm with the correct length.
    package init?(_ header: Header, in headers: HeaderFields) {
        guard let value = headers.combined(header.rawValue) else { return nil }
        self.init(value)
    }

    /// Parses the value of a header. Other algorithms are ignored.
    package init?(_ value: String) {
        guard let members = StructuredDictionary(value)?.byteSequences else { return nil }
        sha256 = members["sha-256"].flatMap { $0.count == 32 ? $0 : nil }
        sha512 = members["sha-512"].flatMap { $0.count == 64 ? $0 : nil }
        if sha256 == nil, sha512 == nil { return nil }
    }
}
