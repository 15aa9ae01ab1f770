import ErrandSupport

/// Which names hide their values in descriptions, logs and errors: the one policy of the library, for header fields,
/// query items and JSON keys alike. A redirect never sends a header that it hides to another origin.
///
/// Names are compared by their letters and digits alone, without case, so that `access_token`, `accessToken` and
/// `Access-Token` are one; of a nested name such as `user[password]` each part counts. Besides whole names, any name
/// that holds one of a few words (token, secret, password, …) or ends in the word "key" is hidden: a value too many is
/// better than one too few.
///
/// The values of hidden names in a request are known secrets. They are masked in every text of a server that is printed for
/// this request, whatever their place there: a reason phrase, a header, a message, an excerpt of a body. Values below 4 bytes
/// are not.
///
/// ```swift
/// var options = RequestOptions()
/// options.redaction.hide("X-Tenant")
/// ```
public struct Redaction: Sendable, Hashable {
    /// What stands where a value was.
    public static let mask: String = "‹redacted›"

    /// The names that usually carry credentials.
    public static let standard: Redaction = Redaction()

    /// The names that are hidden besides the standard ones.
    private var names: Set<String> = []

    /// Makes a policy that hides the standard names and those given.
    public init(hiding names: String...) {
        for name in names { hide(name) }
    }

    /// Hides one more name, of a header field, a query item or a JSON key, in any spelling.
    public mutating func hide(_ name: String) {
        names.insert(Self.comparable(name))
    }

    /// Whether the value of a name is hidden, as is that of a name that takes quadratic time to compare.
    public func hides(_ name: String) -> Bool {
        if name.hasTooManyMarks { return true }
        if Self.hidesByDefault(name) { return true }
        return !names.isEmpty && Self.comparables(name).contains(where: names.contains)
    }

    /// The answers for names that were asked for before: the same few fields come with every request.
    private static let known = Locked<[String: Bool]>([:])
    private static let mostKnown = 1_000

    private static func hidesByDefault(_ name: String) -> Bool {
        if let answer = known.withLock({ $0[name] }) { return answer }
        let isHidden =
            comparables(name).contains { part in
                standardNames.contains(part) || words.contains { part.contains($0) }
            } || namesKeyOrProof(name)
        if name.utf8.count <= 64 {
            known.withLock { known in
                if known.count >= mostKnown { known = [:] }
                known[name] = isHidden
            }
        }
        return isHidden
    }

    /// A name and, where it is nested, its parts.
    private static func comparables(_ name: String) -> [String] {
        [comparable(name)] + name.split { "[].".contains($0) }.map(comparable)
    }

    /// Whether a name's last word is "key", or one of its words names a proof of who is asking: `X-Auth-Key`,
    /// `masterKey`, not `monkey`.
    private static func namesKeyOrProof(_ name: String) -> Bool {
        let words = words(of: name)
        if words.contains(where: proofs.contains) { return true }
        return words.last == "key" && words != ["idempotency", "key"]
    }

    /// The words of a name in lower case: `X-Auth-Key` and `xAuthKey` have three.
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

    private static let proofs: Set<String> = [
        "auth", "authentication", "pass", "passcode", "pwd", "otp", "totp", "sid", "sig",
    ]

    private static let words: [String] = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "subscriptionkey", "privatekey",
        "authorization", "credential", "cookie", "signature", "session", "assertion", "jwt",
        "csrf", "xsrf", "dpop", "bearer", "hmac", "samlresponse",
    ]
}
