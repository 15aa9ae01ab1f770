/// How an answer's body is to arrive.
public enum Delivery: Sendable, Hashable {
    /// The session collects the body before it returns; more bytes than the cap is
    /// ``ServiceError/Code/bodyTooLarge``.
    case buffered(upTo: Int)
    /// The session returns at the head, and the body's reader sets the cap.
    ///
    /// The `URLSession` adapter has no streams yet: it collects up to ``standardLimit`` bytes and returns then.
    case streamed

    /// The cap that is used where none is named: 64 MB.
    public static let standardLimit: Int = 64 << 20

    /// ``buffered(upTo:)`` with ``standardLimit``.
    public static var buffered: Delivery { .buffered(upTo: standardLimit) }
}

extension Delivery {
    /// The most bytes that a caller who needs the whole body accepts.
    package var limit: Int {
        switch self {
        case .buffered(let limit): limit
        case .streamed: Self.standardLimit
        }
    }
}
