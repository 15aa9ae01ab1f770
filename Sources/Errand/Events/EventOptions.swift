/// The options of an event source.
///
/// ```swift
/// var options = EventOptions()
/// options.lastEventID = stored
/// options.idleTimeout = .seconds(30)      // the server sends a comment every 15 seconds
/// options.statuses = .lenient
/// for try await event in loader.events(query, options: options) { … }
/// ```
public struct EventOptions: Sendable, Hashable {
    /// Whether the source connects again when a connection ends. The default is `true`.
    ///
    /// A request that is not repeatable is never sent again (``APIRequest/isRetryable``). A POST request is repeatable
    /// only if ``RequestOptions/idempotency`` declares it so.
    public var reconnects: Bool = true
    /// The waits before a reconnection.
    ///
    /// Before the n-th reconnection without an event, the source waits `base`, and in addition a random time from 0
    /// to `base × factorⁿ⁻¹`, at most `cap`. The server can replace `base` (`retry`) by 0.1 seconds to one day. The
    /// defaults are 3 seconds, a factor of 2 and a cap of 30 seconds. A longer `Retry-After` is obeyed.
    public var backoff: RetryPolicy.Backoff = RetryPolicy.Backoff(base: .seconds(3), cap: .seconds(30))
    /// The maximum number of consecutive failed connections, 20 by default. One more failure is thrown.
    ///
    /// A connection has failed if it could not be opened, or ended within 30 seconds without an event.
    public var failureLimit: Int = 20
    /// The responses that are accepted, and those after which the source connects again. The default is
    /// ``Statuses/standard``.
    public var statuses: Statuses = .standard
    /// The maximum time without any byte from the server. If `nil` (the default), that of the request applies, which is
    /// 60 seconds by default. Comments count as bytes. After the timeout, the source reconnects.
    public var idleTimeout: Duration?
    /// The last event ID of an earlier source, which the first request sends. The default is empty: the request does
    /// not have a `Last-Event-ID`.
    public var lastEventID: String = ""
    /// The maximum number of bytes of an event. The default is ``EventParser/defaultLimit``, 16 MB. A larger event is
    /// an error with ``ServiceError/Code/bodyTooLarge``.
    public var eventLimit: Int = EventParser.defaultLimit
    /// Whether events with data that cannot be decoded are skipped, and counted in ``EventSource/skippedCount``. The
    /// default is `false`: such an event is an error with ``ServiceError/Code/decoding``.
    public var skipsUndecodable: Bool = false

    /// Creates the default options.
    public init() {}
}

extension EventOptions {
    /// The responses that an event source accepts. In all cases, status 204 ends the source without an error.
    public struct Statuses: Sendable, Hashable {
        let isLenient: Bool

        /// The rules of the HTML standard (section 9.2.3): status 200 and the content type `text/event-stream`. Any
        /// other response is an error.
        public static let standard: Self = .init(isLenient: false)
        /// Any status 2xx, with any content type. The source connects again after status 408, 425, 429 and 5xx.
        public static let lenient: Self = .init(isLenient: true)
    }
}
