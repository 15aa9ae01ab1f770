extension RequestOptions {
    /// The way in which the body of a response is delivered.
    public enum Delivery: Sendable, Hashable {
        /// The session collects the body before it returns. A body with more bytes than the limit results in
        /// ``ServiceError/Code/bodyTooLarge``.
        case buffered(upTo: Int)
        /// The session returns after the header section, and the reader of the body sets the limit. `stream(_:)` of a
        /// loader uses this case. `load(_:)` collects the body nevertheless.
        ///
        /// The deadline and the idle timeout apply until the last byte. The time that the reader spends between reads
        /// does not count as idle time. On Apple platforms, a `URLSession` makes the server wait for a slow reader. On
        /// Linux it cannot: 64 MB of unread bytes end the transfer with ``ServiceError/Code/bodyTooLarge``, and more
        /// bytes arrive until the platform has stopped (see <doc:sessions-by-platform>).
        case streamed

        /// ``buffered(upTo:)`` with the default limit, ``ResponseBody/defaultLimit``.
        public static var buffered: RequestOptions.Delivery { .buffered(upTo: ResponseBody.defaultLimit) }
    }
}

extension RequestOptions.Delivery {
    /// The maximum number of bytes for a caller that needs the complete body.
    package var limit: Int {
        switch self {
        case .buffered(let limit): limit
        case .streamed: ResponseBody.defaultLimit
        }
    }
}
