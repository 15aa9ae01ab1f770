import ErrandSupport

/// The head of an answer: status, reason, ordered fields, and the address it came from.
public struct ResponseHead: Sendable {
    /// What a head says. It never changes, so that all who have the head share it.
    private final class Facts: Sendable {
        let status: Int
        let reason: String
        let fields: HeaderFields
        let url: URL
        let redaction: Redaction
        /// The platform's head that says the same, where it came with the answer, or somebody has asked for it: making one
        /// costs more than all else that a loader does.
        let platformForm: Locked<HTTPURLResponse?>

        init(
            _ status: Int, _ reason: String, _ fields: HeaderFields, _ url: URL, _ redaction: Redaction,
            _ platformForm: HTTPURLResponse?
        ) {
            self.status = status
            self.reason = reason
            self.fields = fields
            self.url = url
            self.redaction = redaction
            self.platformForm = Locked(platformForm)
        }
    }

    private let facts: Facts
    /// The secrets of the requests that this responds to, which descriptions don't show.
    package var secrets: CarriedSecrets?
    /// The handler whose default `parseResponse(data:response:)` made this head.
    package var converter: ObjectIdentifier?

    /// Makes a head; an empty reason is filled with the usual phrase.
    public init(status: Int, reason: String = "", fields: HeaderFields = [:], url: URL) {
        self.init(status: status, reason: reason, fields: fields, url: url, platformForm: nil)
    }

    /// Makes a head of what a platform's head says: address, status and every field.
    package init(
        status: Int, reason: String = "", fields: HeaderFields, url: URL, platformForm: HTTPURLResponse?
    ) {
        let reason = reason.isEmpty ? reasonPhrase(status) : reason
        facts = Facts(status, reason, fields, url, .standard, platformForm)
    }

    private init(_ head: ResponseHead, hiding redaction: Redaction) {
        let platformForm = head.facts.platformForm.withLock { $0 }
        facts = Facts(head.status, head.reason, head.fields, head.url, redaction, platformForm)
        secrets = head.secrets
    }

    /// The status code, 100 to 999.
    public var status: Int { facts.status }
    /// The reason phrase where the session gives one, else the usual one for the status.
    public var reason: String { facts.reason }
    /// The fields in their order.
    public var fields: HeaderFields { facts.fields }
    /// Where the answer came from.
    public var url: URL { facts.url }
    /// What descriptions of this head hide: the policy of the call that it answers.
    package var redaction: Redaction { facts.redaction }

    /// Whether the status is 2xx (RFC 9110, section 15.3).
    public var isSuccess: Bool { (200..<300).contains(status) }

    /// This head, whose descriptions follow a policy.
    package func hiding(_ redaction: Redaction) -> ResponseHead {
        redaction == self.redaction ? self : ResponseHead(self, hiding: redaction)
    }
}

extension ResponseHead: Hashable {
    /// Whether two heads say the same, and hide the same.
    public static func == (one: ResponseHead, other: ResponseHead) -> Bool {
        one.facts === other.facts
            || one.status == other.status && one.reason == other.reason && one.fields == other.fields
                && one.url == other.url && one.redaction == other.redaction
    }

    /// Puts in what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(fields)
        hasher.combine(url)
    }
}

extension ResponseHead {
    /// The platform's form of this head. `nil` if the platform refuses the values.
    package var platformForm: HTTPURLResponse? {
        if let kept = facts.platformForm.withLock({ $0 }) { return kept }
        guard let made = makeResponse() else { return nil }
        facts.platformForm.withLock { $0 = made }
        return made
    }

    private func makeResponse() -> HTTPURLResponse? {
        let folded = Dictionary(
            fields.map { ($0.name.lowercased(), $0) },
            uniquingKeysWith: { first, next in
                HeaderFields.Field(first.name, first.value + ", " + next.value)
            })
        let headers = Dictionary(folded.values.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
    }
}

extension ResponseHead: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Status, reason, address and fields, without secrets.
    public var description: String {
        let fields = fields.map { $0.description(hiding: redaction, secrets) }.joined(separator: "; ")
        let address = redaction.address(url)
        return "\(status) \(printable(reason, limit: 100)) from \(secrets?.masked(address) ?? address); \(fields)"
    }

    /// A text of the server as it may be printed: on one line, without secrets, with a limited number of characters.
    package func printable(_ text: String, limit: Int) -> String {
        redaction.printable(text, limit: limit, secrets)
    }

    /// The same, in brackets.
    public var debugDescription: String { "[\(description)]" }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["head": description], displayStyle: .struct) }
}
