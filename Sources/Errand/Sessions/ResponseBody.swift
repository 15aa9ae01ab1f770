/// An answer's body; ``collect(upTo:)`` gives its bytes, as often as it is asked.
public struct ResponseBody: Sendable {
    private let bytes: Data

    /// A body that is here.
    public init(_ data: Data = Data()) {
        bytes = data
    }

    /// The whole body.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/bodyTooLarge`` where it has more bytes than the limit.
    public func collect(upTo limit: Int = Delivery.standardLimit) async throws(ServiceError) -> Data {
        guard bytes.count <= limit else {
            throw ServiceError(.bodyTooLarge, "the body has more than \(limit) bytes")
        }
        return bytes
    }
}

extension ResponseBody: CustomStringConvertible, CustomReflectable {
    /// The text that is safe to print.
    public var description: String { "‹\(bytes.count) bytes›" }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["size": bytes.count]) }
}
