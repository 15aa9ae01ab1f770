import ErrandJSON
import ErrandSupport

/// A response in an ``IdempotencyLedger``.
public struct IdempotencyRecord: Sendable, Hashable {
    /// The status, the URL and the headers.
    public let head: ResponseHead
    /// The complete body.
    public let body: Data
    /// The time at which the response was received.
    public let date: Date

    /// Creates a record.
    public init(head: ResponseHead, body: Data, date: Date) {
        (self.head, self.body, self.date) = (head, body, date)
    }
}

extension IdempotencyRecord {
    /// The maximum size of a stored form in bytes: 8 MB.
    package static let limit = 8 << 20

    private struct Stored: Codable {
        let url: String
        let status: Int
        let reason: String
        let headers: [[String]]
        /// Seconds since 1970.
        let date: Double
        let body: Data
    }

    /// The stored form, as JSON.
    package var data: Data {
        get throws {
            try JSONEncoder().encode(
                Stored(
                    url: head.url.absoluteString, status: head.status, reason: head.reason,
                    headers: head.headers.map { [$0.name, $0.value] }, date: date.timeIntervalSince1970, body: body))
        }
    }

    /// Decodes a stored form. Returns `nil` if it has another form.
    package init?(_ data: Data) {
        guard let stored = try? FastJSONDecoder().decode(Stored.self, from: data), let url = URL(string: stored.url),
            (100...999).contains(stored.status), stored.headers.allSatisfy({ $0.count == 2 })
        else { return nil }
        let headers = HeaderFields(stored.headers.map { HeaderFields.Field($0[0], $0[1]) })
        self.init(
            head: ResponseHead(status: stored.status, reason: stored.reason, headers: headers, url: url),
            body: stored.body, date: Date(timeIntervalSince1970: stored.date))
    }
}

extension IdempotencyRecord: CustomStringConvertible, CustomReflectable {
    /// The status and the URL, without secrets.
    public var description: String { "\(head.status) from \(Redaction.standard.url(head.url))" }
    /// A mirror that shows ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["record": description], displayStyle: .struct) }
}
