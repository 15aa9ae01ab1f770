import ErrandSupport

/// The freshness of a stored response (RFC 9111, section 4.2), computed once from its header section.
struct CacheFacts: Sendable, Hashable {
    /// The statuses of responses that may be fresh without an explicit lifetime (RFC 9110, section 15.1).
    private static let heuristicStatuses: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
    /// The maximum heuristic lifetime: one day.
    private static let longestHeuristic: Double = 86_400

    /// The directives of the response.
    let directives: CacheDirectives
    /// The freshness lifetime in seconds (section 4.2.1). 0 if the response is always stale.
    let lifetime: Double
    /// Whether the server specified a lifetime with `max-age` or `Expires`.
    let isExplicit: Bool
    /// The age of the response in seconds when it was received (section 4.2.3).
    let initialAge: Double
    /// The time at which the response was received.
    let responseDate: Date

    init(_ head: ResponseHead, requestDate: Date, responseDate: Date) {
        self.responseDate = responseDate
        directives = CacheDirectives(head.headers)
        let date = head.headers["Date"].flatMap { CacheDate.date(from: $0, now: responseDate) } ?? responseDate
        let expires = Self.expires(head, date, now: responseDate)
        let explicit = directives.seconds("max-age") ?? expires
        isExplicit = explicit != nil
        let estimate = explicit == nil ? Self.estimate(head, directives, date) : nil
        lifetime = explicit ?? estimate ?? 0
        let ageValue = Self.age(head)
        let delay = max(0, responseDate.timeIntervalSince(requestDate))
        initialAge = max(0, responseDate.timeIntervalSince(date), ageValue + delay)
    }

    /// Returns the age in seconds, or `nil` if the clock was set back after the response was received.
    func age(at now: Date) -> Double? {
        let resident = now.timeIntervalSince(responseDate)
        return resident < -1 ? nil : initialAge + max(0, resident)
    }

    /// Whether a stale response must not be used without a successful validation (sections 5.2.2.2 and 5.2.2.4).
    var forbidsStale: Bool { directives.contains("must-revalidate") || directives.containsWithoutArgument("no-cache") }

    /// Whether the response can be used without a validation for some time.
    var canBeFresh: Bool { lifetime > 0 && !directives.containsWithoutArgument("no-cache") }

    /// The lifetime of an `Expires` header. An invalid date is in the past (section 5.3).
    private static func expires(_ head: ResponseHead, _ date: Date, now: Date) -> Double? {
        guard let text = head.headers["Expires"] else { return nil }
        guard let expires = CacheDate.date(from: text, now: now) else { return 0 }
        return min(max(0, expires.timeIntervalSince(date)), CacheDirectives.longest)
    }

    /// Estimates the lifetime: 10 % of the time since the last change, at most one day.
    private static func estimate(_ head: ResponseHead, _ directives: CacheDirectives, _ date: Date) -> Double? {
        guard heuristicStatuses.contains(head.status) || directives.contains("public"),
            let changed = head.headers["Last-Modified"].flatMap({ CacheDate.date(from: $0, now: date) }),
            // An old server sends no Cache-Control header, but Pragma (section 5.4).
            !directives.isEmpty || head.headers["Pragma"]?.lowercased().contains("no-cache") != true
        else { return nil }
        let sinceChange = date.timeIntervalSince(changed)
        return sinceChange > 0 ? min(sinceChange / 10, longestHeuristic) : nil
    }

    /// The value of the `Age` header. Of several values, the first is used. An invalid one is ignored (section 5.1).
    private static func age(_ head: ResponseHead) -> Double {
        guard let text = head.headers["Age"] else { return 0 }
        return DeltaSeconds.value(text.prefix { $0 != "," }.trimmed(.whitespaces)) ?? 0
    }

    /// Whether a status allows a heuristic lifetime.
    static func isHeuristicallyCacheable(_ status: Int) -> Bool { heuristicStatuses.contains(status) }
}
