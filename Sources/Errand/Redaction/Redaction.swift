import ErrandSupport

/// The policy for hidden values in descriptions, logs and errors. The library applies it to header names, query item
/// names and JSON keys. A redirect never sends a header that it hides to another origin.
///
/// Names are compared by their letters and digits only, without case: `access_token`, `accessToken` and `Access-Token`
/// are equal. Each part of a nested name such as `user[password]` is compared too. In addition to complete names, every
/// name is hidden that contains one of a few words (token, secret, password, …) or ends in the word "key". It is better
/// to hide one value too many than one too few.
///
/// The values of hidden names in a request are known secrets. They are masked in every printed text that a server sent
/// for this request, at any position: a reason phrase, a header, a message, an excerpt of a body. Values below 4 bytes
/// are not masked.
///
/// ```swift
/// var options = RequestOptions()
/// options.redaction.hide("X-Tenant")
/// ```
public struct Redaction: Sendable, Hashable {
    /// The text that replaces a hidden value.
    public static let mask: String = "‹redacted›"

    /// The policy that hides the names that usually have credentials as their values.
    public static let standard: Redaction = Redaction()

    /// The hidden names in addition to the standard ones.
    private var names: Set<String> = []

    /// Creates a policy that hides the standard names and the given names.
    public init(hiding names: String...) {
        for name in names { hide(name) }
    }

    /// Hides another name of a header, a query item or a JSON key, in any spelling.
    public mutating func hide(_ name: String) {
        names.insert(Self.comparable(name))
    }

    /// Returns whether the value of a name is hidden. A name that would take quadratic time to compare is hidden.
    public func hides(_ name: String) -> Bool {
        if name.hasTooManyMarks { return true }
        if Self.hidesByDefault(name) { return true }
        return !names.isEmpty && Self.comparables(name).contains(where: names.contains)
    }

    /// A cache of results, because most requests have the same headers.
    private static let known = Locked<[String: Bool]>([:])
    private static let maximumKnown = 1_000

    private static func hidesByDefault(_ name: String) -> Bool {
        if let isHidden = known.withLock({ $0[name] }) { return isHidden }
        let isHidden =
            !publicNames.contains(comparable(name))
            && (comparables(name).contains { part in
                standardNames.contains(part) || words.contains { part.contains($0) }
            } || namesKeyOrProof(name))
        if name.utf8.count <= 64 {
            known.withLock { known in
                if known.count >= maximumKnown { known = [:] }
                known[name] = isHidden
            }
        }
        return isHidden
    }

    /// Returns a name and the parts of a nested name.
    private static func comparables(_ name: String) -> [String] {
        [comparable(name)] + name.split { "[].".contains($0) }.map(comparable)
    }

    /// Whether the last word of a name is "key", or one of its words is in ``proofs``: `X-Auth-Key`, `masterKey`, not
    /// `monkey`.
    private static func namesKeyOrProof(_ name: String) -> Bool {
        let words = words(of: name)
        if words.contains(where: proofs.contains) { return true }
        return words.last == "key" && words != ["idempotency", "key"]
    }

    /// Returns the words of a name in lowercase: `X-Auth-Key` and `xAuthKey` have three.
    private static func words(of name: String) -> [String] {
        var words = [""]
        var wasSmall = false
        for character in name {
            let isLetter = character.isLetter || character.isNumber
            if !isLetter || character.isUppercase && wasSmall { words.append("") }
            if isLetter { words[words.count - 1].append(character.lowercased()) }
            wasSmall = character.isLowercase
        }
        return words.filter { !$0.isEmpty }
    }

    private static func comparable(_ name: some StringProtocol) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private static let standardNames: Set<String> = [
        "key", "code", "auth", "pwd", "sid", "sig", "pin", "otp", "clientid", "codeverifier", "devicecode", "usercode",
        "wwwauthenticate", "proxyauthenticate", "authenticationinfo", "proxyauthenticationinfo",
    ]

    /// Names without a secret that contain a hidden word (RFC 6749, section 5.1, and RFC 8414).
    private static let publicNames: Set<String> = ["tokentype", "tokenendpoint", "authorizationendpoint"]

    private static let proofs: Set<String> = [
        "auth", "authentication", "pass", "passcode", "pwd", "otp", "totp", "sid", "sig",
    ]

    private static let words: [String] = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "subscriptionkey", "privatekey",
        "authorization", "credential", "cookie", "signature", "session", "assertion", "jwt",
        "csrf", "xsrf", "dpop", "bearer", "hmac", "samlresponse",
    ]
}
