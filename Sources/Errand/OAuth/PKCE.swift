import ErrandSupport

/// The proof key for a code exchange (RFC 7636): a verifier that is kept until the exchange, and a challenge that is
/// sent first. Together they prove that the code is exchanged by the client that requested it.
package struct PKCE: Sendable {
    /// An unpredictable text of 43 characters (section 4.1).
    package let verifier: Secret

    /// Creates a random verifier of 256 bits.
    package init(random: any RandomSource = .system) {
        self.init(verifier: Secret(Base64URL.encode(random.bytes(32))))
    }

    package init(verifier: Secret) {
        self.verifier = verifier
    }

    /// The S256 challenge (section 4.2).
    package var challenge: String { Base64URL.encode(SHA256.hash(verifier.reveal().utf8)) }
}
