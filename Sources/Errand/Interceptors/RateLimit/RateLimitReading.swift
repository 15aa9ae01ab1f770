import ErrandSupport

/// What an answer says about how many more its host takes.
package struct RateLimitReading: Sendable, Hashable {
    /// A quota of the server's: what is left of it, and when it is full again.
    package struct Quota: Sendable, Hashable {
        /// Which one, as the server names it.
        package let name: String
        /// How many more, at least 0.
        package let remaining: Int
        /// How long from now, within zero and ``RetryAfter/longest``.
        package let reset: Duration

        package init(name: String, remaining: Int, reset: Duration) {
            self.name = name
            self.remaining = remaining
            self.reset = reset
        }
    }

    /// The most quotas of one host that are kept: 8.
    package static let mostQuotas = 8

    package private(set) var quotas: [Quota] = []
    /// How long the host wants to be left alone; nil where it does not say so.
    package private(set) var pause: Duration?
    /// Whether the host has refused a call because it was one too many.
    package private(set) var isRefusal: Bool

    /// What an answer says that is not asked.
    package static let nothing = RateLimitReading(status: 200, fields: [:], date: .distantPast)

    /// Reads a header section: `RateLimit` in its two forms, `RateLimit-Remaining` and `-Reset`, the same with `X-`, and
    /// `Retry-After` with a status of the policy (RFC 9110, section 10.2.3; RFC 6585, section 4).
    package init(
        status: Int, fields: HeaderFields, date: @autoclosure () -> Date,
        policy: RateLimitInterceptor.Policy = RateLimitInterceptor.Policy()
    ) {
        isRefusal = policy.refusalStatuses.contains(status)
        let relevant = fields.filter(\.mayLimit)
        guard !relevant.isEmpty else { return }
        let own = HeaderFields(relevant)
        // A date is compared with the server's own, where it has sent one, so that clocks that differ do no harm.
        let now = date()
        let origin = fields["Date"].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        for prefix in ["RateLimit", "X-RateLimit"] { readPair(own, prefix, origin) }
        for value in own.all("RateLimit").prefix(Self.mostQuotas) { add(RateLimitField.quotas(in: value)) }
        guard policy.pauseStatuses.contains(status) else { return }
        pause = RetryAfter.wait(fields, now: now)
        if quotas.isEmpty, own.saysNothingIsLeft { isRefusal = true }
    }

    /// Whether nothing follows from it.
    package var isEmpty: Bool { quotas.isEmpty && pause == nil && !isRefusal }

    private mutating func readPair(_ fields: HeaderFields, _ prefix: String, _ origin: Date) {
        guard let remaining = fields["\(prefix)-Remaining"].flatMap(RateLimitField.number),
            let reset = fields["\(prefix)-Reset"].flatMap(RateLimitField.number)
        else { return }
        let wait = RateLimitField.wait(forReset: reset, origin: origin)
        add([Quota(name: prefix, remaining: RateLimitField.count(remaining), reset: wait)])
    }

    private mutating func add(_ more: [Quota]) {
        quotas = Array((quotas + more).prefix(Self.mostQuotas))
    }
}

extension HeaderFields {
    /// Whether a quota is empty, with or without a reset time.
    fileprivate var saysNothingIsLeft: Bool {
        ["RateLimit-Remaining", "X-RateLimit-Remaining"].contains { self[$0].flatMap(RateLimitField.number) == 0 }
    }
}

extension HeaderFields.Field {
    /// Whether a field is worth reading: most are not, and an answer has many.
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
