import ErrandSupport

/// The proof that who redeems a code is who asked for it (RFC 7636): a verifier that stays here until then, and a
/// challenge that goes out first.
package struct PKCE: Sendable {
    /// 43 characters that nobody can guess (section 4.1).
    package let verifier: Secret

    /// Draws a verifier of 256 bits.
    package init(random: any RandomSource = .system) {
        self.init(verifier: Secret(Base64URL.encode(random.bytes(32))))
    }

    package init(verifier: Secret) {
        self.verifier = verifier
    }

    /// The S256 challenge (section 4.2).
    package var challenge: String { Base64URL.encode(SHA256.hash(verifier.reveal().utf8)) }
}
