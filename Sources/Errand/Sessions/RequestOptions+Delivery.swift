extension RequestOptions {
    /// How an answer's body is to arrive.
    public enum Delivery: Sendable, Hashable {
        /// The session collects the body before it returns; more bytes than the cap is
        /// ``ServiceError/Code/bodyTooLarge``.
        case buffered(upTo: Int)
        /// The session returns at the head, and the body's reader sets the cap. A loader's `stream(_:)` asks for it; its `load(_:)`
        /// collects the body all the same.
        ///
        /// Deadline and idle time-out hold until the last byte; the time that the reader takes for itself is no silence. A
        /// `URLSession` makes the server wait for a slow reader on Apple platforms. It can't on Linux: there 64 MB that nobody
        /// has read yet end the transfer with ``ServiceError/Code/bodyTooLarge``, and until the platform has stopped, some more
        /// arrive (see <doc:sessions-by-platform>).
        case streamed

        /// ``buffered(upTo:)`` with ``ResponseBody/standardLimit``.
        public static var buffered: RequestOptions.Delivery { .buffered(upTo: ResponseBody.standardLimit) }
    }
}

extension RequestOptions.Delivery {
    /// The most bytes that a caller who needs the whole body accepts.
    package var limit: Int {
        switch self {
        case .buffered(let limit): limit
        case .streamed: ResponseBody.standardLimit
        }
    }
}
