import ErrandSupport

/// The rate limits that a response reports.
package struct RateLimitReading: Sendable, Hashable {
    /// A quota of the server.
    package struct Quota: Sendable, Hashable {
        /// The name of the quota.
        package let name: String
        /// The remaining number of requests, at least 0.
        package let remaining: Int
        /// The time until the quota is reset, from zero to ``RetryAfter/longest``.
        package let reset: Duration

        package init(name: String, remaining: Int, reset: Duration) {
            self.name = name
            self.remaining = remaining
            self.reset = reset
        }
    }

    /// The maximum number of quotas stored for one origin.
    package static let maximumQuotas = 8

    package private(set) var quotas: [Quota] = []
    /// The time during which the server expects no requests, or `nil` if the response does not report it.
    package private(set) var pause: Duration?
    /// Whether the server refused the request because the client sent too many.
    package private(set) var isRefusal: Bool

    /// The reading of a response that is ignored: it reports no limits.
    package static let nothing = RateLimitReading(status: 200, headers: [:], date: .distantPast)

    /// Parses a header section: `RateLimit` in its two forms, `RateLimit-Remaining` and `RateLimit-Reset`, the same
    /// two with the prefix `X-`, and `Retry-After` with a status of the policy (RFC 9110, section 10.2.3; RFC 6585,
    /// section 4).
    package init(
        status: Int, headers: HeaderFields, date: @autoclosure () -> Date,
        policy: RateLimitInterceptor.Policy = RateLimitInterceptor.Policy()
    ) {
        isRefusal = policy.refusalStatuses.contains(status)
        let relevant = headers.filter(\.mayLimit)
        guard !relevant.isEmpty else { return }
        let own = HeaderFields(relevant)
        // A date is compared with the `Date` header of the response, if present, so that different clocks do not
        // matter.
        let now = date()
        let origin = headers["Date"].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        for prefix in ["RateLimit", "X-RateLimit"] { readPair(own, prefix, origin) }
        for value in own.all("RateLimit").prefix(Self.maximumQuotas) { add(RateLimitHeader.quotas(in: value)) }
        guard policy.pauseStatuses.contains(status) else { return }
        pause = RetryAfter.wait(headers, now: now)
        if quotas.isEmpty, own.saysNothingIsLeft { isRefusal = true }
    }

    /// Whether the response reports no limits.
    package var isEmpty: Bool { quotas.isEmpty && pause == nil && !isRefusal }

    private mutating func readPair(_ headers: HeaderFields, _ prefix: String, _ origin: Date) {
        guard let remaining = headers["\(prefix)-Remaining"].flatMap(RateLimitHeader.number),
            let reset = headers["\(prefix)-Reset"].flatMap(RateLimitHeader.number)
        else { return }
        let wait = RateLimitHeader.wait(forReset: reset, origin: origin)
        add([Quota(name: prefix, remaining: RateLimitHeader.count(remaining), reset: wait)])
    }

    private mutating func add(_ more: [Quota]) {
        quotas = Array((quotas + more).prefix(Self.maximumQuotas))
    }
}

extension HeaderFields {
    /// Whether a quota is empty, with or without a reset time.
    fileprivate var saysNothingIsLeft: Bool {
        ["RateLimit-Remaining", "X-RateLimit-Remaining"].contains { self[$0].flatMap(RateLimitHeader.number) == 0 }
    }
}

extension HeaderFields.Field {
    /// Whether the header can contain a limit. Most headers of a response do not, and this check is fast.
    fileprivate var mayLimit: Bool {
        switch name.utf8.first {
        case UInt8(ascii: "r"), UInt8(ascii: "R"):
            isNamed("RateLimit") || isNamed("RateLimit-Remaining") || isNamed("RateLimit-Reset")
                || isNamed("Retry-After")
        case UInt8(ascii: "x"), UInt8(ascii: "X"): isNamed("X-RateLimit-Remaining") || isNamed("X-RateLimit-Reset")
        default: false
        }
    }
}
