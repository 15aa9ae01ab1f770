/// The use of a stored response for a request (RFC 9111, section 4). The reasons are texts for the trail.
enum CacheDecision: Sendable, Hashable {
    /// The stored response is used. `reason` says how fresh it is.
    case use(String)
    /// The stored response is used, and validated in the background.
    case useAndRefresh(String)
    /// The stored response must be validated first.
    case validate(String)

    /// Returns the action for a stored response that the request selects.
    ///
    /// - Parameters:
    ///   - facts: The freshness of the response.
    ///   - request: The directives of the request.
    ///   - mode: The mode of the request.
    ///   - now: The time.
    /// - Returns: The decision.
    static func about(
        _ facts: CacheFacts, _ request: CacheDirectives, _ mode: CacheMode, at now: Date
    ) -> CacheDecision {
        guard let age = facts.age(at: now) else { return .validate("the clock was set back") }
        let remaining = facts.lifetime - age
        let state = remaining > 0 ? "fresh, \(seconds(remaining)) left" : "stale for \(seconds(-remaining))"
        switch mode {
        case .forceCache, .onlyIfCached: return .use(state)
        case .noCache where !(facts.directives.contains("immutable") && remaining > 0):
            return .validate("\(state), but the request requires a validation")
        default: break
        }
        if facts.directives.containsWithoutArgument("no-cache") { return .validate("no-cache") }
        if request.contains("no-cache") { return .validate("\(state), but the request has no-cache") }
        if let limit = request.seconds("max-age"), limit == 0 || age > limit {
            return .validate("\(state), but the request has max-age=\(Int64(limit))")
        }
        if remaining > 0 {
            let required = request.seconds("min-fresh") ?? 0
            return remaining >= required
                ? .use(state) : .validate("\(state), but the request has min-fresh=\(Int64(required))")
        }
        guard !facts.forbidsStale, !request.contains("min-fresh") else { return .validate(state) }
        if request.contains("max-stale") {
            // Without an argument, any age is accepted (section 5.2.1.2).
            let isUnlimited = request.containsWithoutArgument("max-stale")
            if isUnlimited || -remaining <= request.seconds("max-stale") ?? 0 { return .use("\(state), max-stale") }
        }
        if let window = facts.directives.seconds("stale-while-revalidate"), -remaining <= window {
            return .useAndRefresh("\(state), stale-while-revalidate")
        }
        return .validate(state)
    }

    /// Whether a stale response may replace an error (RFC 5861, section 4).
    static func allowsErrors(_ facts: CacheFacts, _ request: CacheDirectives, at now: Date) -> Bool {
        guard !facts.forbidsStale, !request.contains("no-cache"), let age = facts.age(at: now) else { return false }
        let windows = [facts.directives, request].compactMap { $0.seconds("stale-if-error") }
        return windows.contains { age - facts.lifetime <= $0 }
    }

    /// A number of seconds as a text: whole seconds.
    static func seconds(_ number: Double) -> String { "\(Int64(min(max(0, number), CacheDirectives.longest))) s" }
}
