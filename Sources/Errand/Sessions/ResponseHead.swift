/// The head of an answer: status, reason, ordered fields, and the address it came from.
public struct ResponseHead: Sendable, Hashable {
    /// The status code, 100 to 999.
    public let status: Int
    /// The reason phrase where the session gives one, else the usual one for the status.
    public let reason: String
    /// The fields in their order.
    public let fields: HeaderFields
    /// Where the answer came from.
    public let url: URL
    /// What descriptions of this head hide: the policy of the call that it answers.
    package var redaction: Redaction = .standard
    /// The platform's own form of this head, where one came with the answer.
    package var original = Original()

    /// Makes a head; an empty reason is filled with the usual phrase.
    public init(status: Int, reason: String = "", fields: HeaderFields = [:], url: URL) {
        self.status = status
        self.reason = reason.isEmpty ? reasonPhrase(status) : reason
        self.fields = fields
        self.url = url
    }

    /// Whether the status is 2xx (RFC 9110, section 15.3).
    public var isSuccess: Bool { (200..<300).contains(status) }
}

extension ResponseHead {
    /// The platform's head that says the same, once somebody has asked for it: making one costs more than all else that
    /// a loader does.
    ///
    /// It adds nothing to what the head says, so heads are equal whether they have it or not.
    package final class Original: Sendable, Hashable {
        private let response: Locked<HTTPURLResponse?>

        /// Keeps the form that the head was read from: address, status and every field.
        package init(_ response: HTTPURLResponse? = nil) {
            self.response = Locked(response)
        }

        /// The kept one, or else the one that a closure makes.
        fileprivate func response(_ make: () throws(ServiceError) -> HTTPURLResponse) throws(ServiceError)
            -> HTTPURLResponse
        {
            if let kept = response.withLock({ $0 }) { return kept }
            let made = try make()
            response.withLock { $0 = made }
            return made
        }

        package static func == (one: Original, other: Original) -> Bool { true }

        package func hash(into hasher: inout Hasher) {}
    }

    /// The platform's form of this head, which ``ResponseHandler/parseResponse(data:response:)`` takes.
    ///
    /// Duplicate fields are folded with a comma, as that type can't keep them.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` where the platform refuses the values.
    public func httpURLResponse() throws(ServiceError) -> HTTPURLResponse {
        try original.response { () throws(ServiceError) in try makeResponse() }
    }

    private func makeResponse() throws(ServiceError) -> HTTPURLResponse {
        let folded = Dictionary(
            fields.map { ($0.name.lowercased(), $0) },
            uniquingKeysWith: { first, next in
                HeaderFields.Field(first.name, first.value + ", " + next.value)
            })
        let headers = Dictionary(folded.values.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
        guard let response else { throw ServiceError(.badResponse, "the head can't be represented") }
        return response
    }
}

extension ResponseHead {
    /// This head, whose descriptions follow a policy.
    package func hiding(_ redaction: Redaction) -> ResponseHead {
        var copy = self
        copy.redaction = redaction
        return copy
    }
}

extension ResponseHead: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Status, reason, address and fields, without secrets.
    public var description: String {
        "\(status) \(reason.singleLine(limit: 100)) from \(redaction.address(url)); \(fields.description(hiding: redaction))"
    }

    /// The same, in brackets.
    public var debugDescription: String { "[\(description)]" }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["head": description], displayStyle: .struct) }
}
