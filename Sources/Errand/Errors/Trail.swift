import ErrandSupport

/// What happened on one call and why: each attempt, each wait, what was shared, refreshed or refused, oldest first.
///
/// ```swift
/// let page = try await loader.response(query)
/// print(page.trail)
/// //   0.0 ms  authorization  the token is fresh for 58 s
/// //  31.2 ms  retry          503 Service Unavailable in 31.1 ms; attempt 1; again in 78.5 ms: status 503
/// // 140.9 ms  retry          200 OK in 31.2 ms; attempt 2
/// ```
/// A ``ServiceError`` has one too. It prints no secret.
public struct Trail: Sendable, Hashable {
    /// The most events that are kept of one call: 1,000.
    public static let limit: Int = 1_000

    /// Who reports: an interceptor, by its short name.
    public struct Source: Sendable, Hashable, CustomStringConvertible {
        /// The name as it is printed.
        public let rawValue: String

        /// Names an interceptor of your own.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The text that is safe to print.
        public var description: String { rawValue.singleLine(limit: 40) }

        /// The loader itself.
        public static let loader: Self = .init("loader")
        /// ``RetryInterceptor``.
        public static let retry: Self = .init("retry")
        /// ``AuthorizationInterceptor``.
        public static let authorization: Self = .init("authorization")
        /// ``CoalescingInterceptor``.
        public static let coalescing: Self = .init("coalescing")
        /// ``RateLimitInterceptor``.
        public static let rateLimit: Self = .init("rate limit")
        /// ``CircuitBreakerInterceptor``.
        public static let breaker: Self = .init("breaker")
        /// ``RedirectInterceptor``.
        public static let redirect: Self = .init("redirect")
    }

    /// One thing that happened.
    public struct Event: Sendable {
        /// When, since the call began.
        public let moment: Duration
        /// Who reports it.
        public let source: Source
        /// The try at sending that ended here, where one did.
        public let attempt: Trail.Attempt?
        /// What that try cost on the wire, where the session measures.
        public let metrics: TransportMetrics?
        let note: String?
        /// The secrets that ``message`` must not show.
        var secrets: CarriedSecrets?
    }

    /// What happened, oldest first.
    public internal(set) var events: [Event] = []
    /// How many more events there were than ``limit``.
    public internal(set) var dropped: Int = 0

    /// A trail of nothing.
    public init() {}

    /// The tries at sending, oldest first, each with what followed from it.
    public var attempts: [Trail.Attempt] {
        events.compactMap { event in
            guard var attempt = event.attempt else { return nil }
            attempt.note = (event.note ?? attempt.note).map(event.masked)
            return attempt
        }
    }
}

extension Trail {
    /// Takes down what happens on one call, from any thread; ``RequestOptions/trail`` hands it to the interceptors.
    ///
    /// ```swift
    /// request.options.trail?.note("served by the mirror", from: .init("mirror"))
    /// ```
    public final class Recorder: Sendable {
        private let time: any TimeSource
        private let start: Duration
        private let redaction: Redaction
        private let state = Locked(Trail())
        /// The secrets of the requests that the call has sent.
        package let secrets = CarriedSecrets()

        /// Begins a trail now.
        public init(on time: any TimeSource = .system, redaction: Redaction = .standard) {
            self.time = time
            self.redaction = redaction
            start = time.now
        }

        /// What was taken down so far.
        public var trail: Trail { state.withLock { $0 } }

        /// Whether an interceptor has taken a try at sending down.
        package var hasAttempts: Bool { state.withLock { $0.events.contains { $0.attempt != nil } } }

        /// Takes one clause down, as it may be printed: addresses and `name=value` pairs are masked by the call's redaction.
        public func note(_ text: String, from source: Source) {
            add(source, nil, nil, redaction.text(text))
        }

        /// Takes a try at sending down, with a clause on what follows from it.
        ///
        /// - Parameters:
        ///   - attempt: What came of it.
        ///   - metrics: What it cost on the wire, where that is known.
        ///   - source: Who reports it.
        ///   - note: A clause that may be printed.
        public func record(
            _ attempt: Trail.Attempt, metrics: TransportMetrics? = nil, from source: Source, _ note: String? = nil
        ) {
            add(source, attempt, metrics, note.map(redaction.text))
        }

        /// Takes a call's only try down, where no interceptor has taken down any.
        package func recordIfFirst(_ attempt: Trail.Attempt, metrics: TransportMetrics?) {
            if !hasAttempts { record(attempt, metrics: metrics, from: .loader) }
        }

        /// Takes over what happened on a request that several calls share.
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
