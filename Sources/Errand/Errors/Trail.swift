import ErrandSupport

/// The events of an API call, oldest first: attempts, waits, shared responses, token refreshes and rejected requests,
/// with their reasons.
///
/// ```swift
/// let page = try await loader.response(query)
/// print(page.trail)
/// //   0.0 ms  authorization  the token expires in 58 s
/// //  31.2 ms  retry          503 Service Unavailable in 31.1 ms; attempt 1; retry in 78.5 ms: status 503
/// // 140.9 ms  retry          200 OK in 31.2 ms; attempt 2
/// ```
/// A ``ServiceError`` has a trail too. The descriptions contain no secrets.
public struct Trail: Sendable, Hashable {
    /// The maximum number of events of one API call: 1,000.
    public static let limit: Int = 1_000

    /// The source of an event: the short name of an interceptor.
    public struct Source: Sendable, Hashable, CustomStringConvertible {
        /// The name.
        public let rawValue: String

        /// Creates the source for a custom interceptor.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name on one line of at most 40 characters.
        public var description: String { rawValue.singleLine(limit: 40) }

        /// The loader.
        public static let loader: Self = .init("loader")
        /// ``RetryInterceptor``.
        public static let retry: Self = .init("retry")
        /// ``AuthorizationInterceptor``.
        public static let authorization: Self = .init("authorization")
        /// ``CoalescingInterceptor``.
        public static let coalescing: Self = .init("coalescing")
        /// ``CacheInterceptor``.
        public static let cache: Self = .init("cache")
        /// ``IdempotencyInterceptor``.
        public static let idempotency: Self = .init("idempotency")
        /// ``RateLimitInterceptor``.
        public static let rateLimit: Self = .init("rate limit")
        /// ``CircuitBreakerInterceptor``.
        public static let breaker: Self = .init("breaker")
        /// ``RedirectInterceptor``.
        public static let redirect: Self = .init("redirect")
        /// A download of a loader.
        public static let download: Self = .init("download")
        /// An event source of a loader.
        public static let events: Self = .init("events")
    }

    /// An event of an API call.
    public struct Event: Sendable {
        /// The time since the start of the API call.
        public let moment: Duration
        /// The source of the event.
        public let source: Source
        /// The attempt that ended with this event, if any.
        public let attempt: Trail.Attempt?
        /// The metrics of that attempt, if the session measures them.
        public let metrics: TransportMetrics?
        let note: String?
        /// The secrets that ``message`` must not show.
        var secrets: CarriedSecrets?
    }

    /// The events, oldest first.
    public internal(set) var events: [Event] = []
    /// The number of events that were dropped because of ``limit``.
    public internal(set) var dropped: Int = 0
    /// The recording of a ``FlightRecorder``.
    package internal(set) var attachment: Attachment?

    /// Creates an empty trail.
    public init() {}

    /// The attempts, oldest first, each with a note about the next step.
    public var attempts: [Trail.Attempt] {
        events.compactMap { event in
            guard var attempt = event.attempt else { return nil }
            attempt.note = (event.note ?? attempt.note).map(event.masked)
            return attempt
        }
    }
}

extension Trail {
    /// Records the events of an API call. It can be used from any thread. Interceptors get it from
    /// ``RequestOptions/trail``.
    ///
    /// ```swift
    /// request.options.trail?.note("served by the mirror", from: .init("mirror"))
    /// ```
    public final class Recorder: Sendable {
        private let time: any TimeSource
        private let start: Duration
        private let redaction: Redaction
        private let state = Locked(Trail())
        /// The secrets of the requests that were sent.
        package let secrets = CarriedSecrets()

        /// Creates a recorder. The times of events count from now.
        public init(on time: any TimeSource = .system, redaction: Redaction = .standard) {
            self.time = time
            self.redaction = redaction
            start = time.now
        }

        /// The events recorded so far.
        public var trail: Trail { state.withLock { $0 } }

        /// Whether an interceptor has recorded an attempt.
        package var hasAttempts: Bool { state.withLock { $0.events.contains { $0.attempt != nil } } }

        /// Adds a recording, which replaces an earlier one.
        package func attach(_ recording: any CallRecording) {
            state.withLock { $0.attachment = Attachment(recording) }
        }

        /// Records a note. URLs and `name=value` pairs in it are masked by the redaction of the API call.
        public func note(_ text: String, from source: Source) {
            add(source, nil, nil, redaction.text(text))
        }

        /// Records an attempt, with a note about the next step.
        ///
        /// - Parameters:
        ///   - attempt: The attempt.
        ///   - metrics: The metrics of the attempt, if they are known.
        ///   - source: The source of the event.
        ///   - note: A printable note.
        public func record(
            _ attempt: Trail.Attempt, metrics: TransportMetrics? = nil, from source: Source, _ note: String? = nil
        ) {
            add(source, attempt, metrics, note.map(redaction.text))
        }

        /// Records the only attempt of an API call, if no interceptor has recorded an attempt.
        package func recordIfFirst(_ attempt: Trail.Attempt, metrics: TransportMetrics?) {
            if !hasAttempts { record(attempt, metrics: metrics, from: .loader) }
        }

        /// Copies an event of a request that several API calls share.
        package func copy(_ event: Event) {
            add(event.source, event.attempt, event.metrics, event.note, event.secrets)
        }

        private func add(
            _ source: Source, _ attempt: Trail.Attempt?, _ metrics: TransportMetrics?, _ note: String?,
            _ secrets: CarriedSecrets? = nil
        ) {
            let event = Event(
                moment: time.now - start, source: source, attempt: attempt, metrics: metrics, note: note,
                secrets: secrets ?? self.secrets)
            state.withLock { trail in
                if trail.events.count < Trail.limit {
                    trail.events.append(event)
                } else {
                    trail.dropped += 1
                }
            }
        }
    }
}
