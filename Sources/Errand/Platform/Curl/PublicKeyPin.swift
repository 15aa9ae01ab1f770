#if os(Linux)
    import ErrandSupport

    /// The pins of a session: digests of the public keys that a server may have.
    enum PublicKeyPin {
        private static let prefix = "sha256//"

        /// The digest of a pin in base64, or `nil` if the pin is malformed.
        static func digest(of pin: String) -> String? {
            let digest = pin.hasPrefix(prefix) ? String(pin.dropFirst(prefix.count)) : pin
            guard digest.utf8.count == 44, Data(base64Encoded: digest)?.count == 32 else { return nil }
            return digest
        }

        /// Rejects a malformed pin, which libcurl would treat as the digest of another key.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` that shows the expected form.
        static func check(_ pin: String) throws(ServiceError) {
            guard digest(of: pin) == nil else { return }
            throw ServiceError(
                .configuration,
                "invalid pin \"\(pin.singleLine(limit: 100))\" in tls.pinnedKeys: expected the SHA-256 digest of a public key in "
                    + "base64, 44 characters, with or without \(prefix): \(prefix)YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE="
            )
        }

        /// The pins in the form that libcurl takes. A malformed pin matches no key.
        static func curlOption(_ pins: [String]) -> String {
            pins.map { prefix + (digest(of: $0) ?? $0) }.joined(separator: ";")
        }
    }
#endif
