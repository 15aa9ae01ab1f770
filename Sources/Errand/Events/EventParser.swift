/// Parses an event stream as the HTML standard requires (section 9.2.6). It performs no I/O.
///
/// ```swift
/// var parser = EventParser()
/// parser.append(chunk)
/// while let output = try parser.next() {
///     if case .event(let event) = output { show(event.data) }
/// }
/// ```
/// The result does not depend on the chunks. Lines end with CR, LF or CRLF. A byte order mark at the start is ignored,
/// and invalid UTF-8 is repaired. An event that is not complete at the end of the stream is discarded with the parser.
/// ``APILoader/events(_:options:)`` uses this parser, and reconnects.
public struct EventParser: Sendable {
    /// A part of an event stream.
    public enum Output: Sendable, Hashable {
        /// An event with data.
        case event(ServerSentEvent)
        /// The text after the colon of a comment line. Servers send comments to keep the connection open.
        case comment(String)
        /// The reconnection time that the server requests.
        case retry(Duration)
    }

    /// The default maximum number of bytes of an event: 16 MB. Some servers send their complete state in one event.
    public static let defaultLimit: Int = 16 << 20

    private let limit: Int
    private var scanner = LineScanner(.any)
    private var fields: EventFields
    /// Whether an event was too large.
    private var hasFailed = false

    /// Creates a parser for the start of a stream.
    ///
    /// - Parameters:
    ///   - lastEventID: The last event ID of an earlier connection to the same source.
    ///   - limit: The maximum number of bytes of an event or a comment, which is also the memory that the parser needs
    ///     for it. The default is ``defaultLimit``.
    public init(lastEventID: String = "", limit: Int = defaultLimit) {
        self.init(lastEventID: lastEventID, limit: limit, includesEmpty: false)
    }

    /// Creates a parser. If `includesEmpty` is `true`, an event with a type and without data is not ignored.
    init(lastEventID: String, limit: Int, includesEmpty: Bool) {
        self.limit = max(0, limit)
        fields = EventFields(lastEventID: lastEventID, limit: self.limit, includesEmpty: includesEmpty)
    }

    /// The ID of the last complete event. An ID with a NUL character is ignored. An empty ID resets it.
    public var lastEventID: String { fields.lastEventID }

    /// Adds the next bytes of the stream. Call it after ``next()`` has returned `nil`. Otherwise, the rest of the
    /// previous bytes is lost.
    public mutating func append(_ bytes: Data) {
        scanner.add(bytes)
    }

    /// Returns the next event, comment or reconnection time, or `nil` if more bytes are needed.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/bodyTooLarge`` if an event exceeds the limit. Later calls
    ///   throw it again.
    public mutating func next() throws(ServiceError) -> Output? {
        while !hasFailed {
            switch scanner.next({ fields.take($0) }) {
            case .incomplete: continue
            case .output(let output): return output
            case .tooLarge: hasFailed = true
            case nil:
                if scanner.openCount <= limit - fields.count { return nil }
                hasFailed = true
            }
        }
        scanner = LineScanner(.any)
        throw ServiceError(
            .bodyTooLarge, "expected events of at most \(limit) bytes, found more: set a larger limit in EventOptions")
    }
}
