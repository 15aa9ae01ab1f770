/// A slow and simple model of a private cache, written from RFC 9111 and RFC 5861. Times are whole seconds.
struct CacheModel {
    /// A reply of the server, chosen before its request is known.
    struct Plan {
        var control: [String: Int?]
        var hasTag: Bool
        var vary: String?
        var age: Int
        var status: Int
        /// The connection is lost instead.
        var fails: Bool
    }

    /// A request.
    struct Call {
        var method: String
        var path: String
        var foo: String?
        var control: [String: Int?]
    }

    /// A response for the caller: the number of its body, its status, and its age if it was stored. `nil` for an error.
    struct Outcome: Equatable, CustomStringConvertible {
        var body: Int
        var status: Int
        var age: Int?
        var description: String { "\(body) (\(status), age \(age.map(String.init) ?? "none"))" }
    }

    private struct Stored {
        let path: String
        let vary: String?
        let foo: String?
        var control: [String: Int?]
        let hasTag: Bool
        /// The version of the resource that the entity tag names.
        let version: Int
        var age: Int
        var received: Int
        let status: Int
        let body: Int
    }

    private var stored: [Stored] = []
    private(set) var versions: [String: Int] = [:]
    /// The number of requests that reached the server.
    private(set) var sent = 0
    /// Whether each of these requests was conditional.
    private(set) var conditions: [Bool] = []
    private let plans: [Plan]
    var now = 0

    init(_ plans: [Plan]) {
        self.plans = plans
    }

    /// Returns the response for the caller, or `nil` for an error.
    mutating func perform(_ call: Call) -> Outcome? {
        guard call.method == "GET" else { return write(call) }
        // Section 4.1: the newest response that the request selects.
        let found = stored.lastIndex { $0.path == call.path && ($0.vary == nil || $0.foo == call.foo) }
        guard let index = found else {
            return call.control.keys.contains("only-if-cached") ? nil : fetch(call)
        }
        let entry = stored[index]
        let age = entry.age + now - entry.received
        let lifetime = (entry.control["max-age"] ?? nil) ?? 0
        let use = Outcome(body: entry.body, status: entry.status, age: age)
        if isUsable(entry, call, age, lifetime) { return use }
        if allowsBackground(entry, call, age, lifetime) {
            if !call.control.keys.contains("only-if-cached") { _ = validate(index, call, isBackground: true) }
            return use
        }
        return call.control.keys.contains("only-if-cached") ? nil : validate(index, call, isBackground: false)
    }

    /// Sections 4.2, 5.2.1 and 5.2.2.
    private func isUsable(_ entry: Stored, _ call: Call, _ age: Int, _ lifetime: Int) -> Bool {
        if entry.control.keys.contains("no-cache") || call.control.keys.contains("no-cache") { return false }
        if let limit = call.control["max-age"] ?? nil, limit == 0 || age > limit { return false }
        if lifetime > age { return lifetime - age >= (call.control["min-fresh"] ?? nil) ?? 0 }
        if entry.control.keys.contains("must-revalidate") || call.control.keys.contains("min-fresh") { return false }
        guard let allowed = call.control["max-stale"] else { return false }
        return allowed.map { age - lifetime <= $0 } ?? true
    }

    /// RFC 5861, section 3.
    private func allowsBackground(_ entry: Stored, _ call: Call, _ age: Int, _ lifetime: Int) -> Bool {
        if entry.control.keys.contains("no-cache") || entry.control.keys.contains("must-revalidate") { return false }
        if call.control.keys.contains("no-cache") || call.control.keys.contains("min-fresh") { return false }
        if let limit = call.control["max-age"] ?? nil, limit == 0 || age > limit { return false }
        guard age >= lifetime, let window = entry.control["stale-while-revalidate"] ?? nil else { return false }
        return age - lifetime <= window
    }

    /// RFC 5861, section 4.
    private func allowsErrors(_ entry: Stored, _ call: Call) -> Bool {
        if entry.control.keys.contains("no-cache") || entry.control.keys.contains("must-revalidate") { return false }
        if call.control.keys.contains("no-cache") { return false }
        let staleness = entry.age + now - entry.received - ((entry.control["max-age"] ?? nil) ?? 0)
        return [entry.control, call.control].contains { control in
            (control["stale-if-error"] ?? nil).map { staleness <= $0 } ?? false
        }
    }

    private mutating func next(isConditional: Bool) -> (plan: Plan, number: Int) {
        sent += 1
        conditions.append(isConditional)
        return (plans[sent - 1], sent)
    }

    private mutating func fetch(_ call: Call) -> Outcome? {
        let (plan, number) = next(isConditional: false)
        return plan.fails ? nil : store(plan, number, call)
    }

    /// Sections 3 and 5.2.2.5.
    private mutating func store(_ plan: Plan, _ number: Int, _ call: Call) -> Outcome {
        let outcome = Outcome(body: number, status: plan.status, age: nil)
        let isUseful =
            ((plan.control["max-age"] ?? nil) ?? 0) > 0 || plan.hasTag || plan.control.keys.contains("stale-if-error")
            || plan.control.keys.contains("stale-while-revalidate")
        let isCacheable = plan.control.keys.contains("max-age") || [200, 404].contains(plan.status)
        let isForbidden =
            plan.control.keys.contains("no-store") || call.control.keys.contains("no-store") || plan.vary == "*"
        guard isCacheable, isUseful, !isForbidden else {
            // Other errors, and requests with no-store, say nothing about the stored response.
            if plan.status < 400 || plan.status == 404, !call.control.keys.contains("no-store") {
                stored.removeAll { $0.path == call.path }
            }
            return outcome
        }
        stored.removeAll { $0.path == call.path && $0.vary == plan.vary && (plan.vary == nil || $0.foo == call.foo) }
        stored.append(
            Stored(
                path: call.path, vary: plan.vary, foo: call.foo, control: plan.control, hasTag: plan.hasTag,
                version: versions[call.path] ?? 0, age: plan.age, received: now, status: plan.status, body: number))
        return outcome
    }

    /// Section 4.3. The server responds with 304 if the version has not changed.
    private mutating func validate(_ index: Int, _ call: Call, isBackground: Bool) -> Outcome? {
        let entry = stored[index]
        let (plan, number) = next(isConditional: entry.hasTag)
        let isError = plan.fails || [500, 502, 503, 504].contains(plan.status)
        if isError, allowsErrors(entry, call) {
            return Outcome(body: entry.body, status: entry.status, age: entry.age + now - entry.received)
        }
        if plan.fails { return nil }
        let isUnchanged = entry.hasTag && plan.status == 200 && entry.version == versions[call.path] ?? 0
        guard isUnchanged else { return store(plan, number, call) }
        // Section 4.3.4: the headers are updated.
        if !plan.control.isEmpty { stored[index].control = plan.control }
        (stored[index].age, stored[index].received) = (plan.age, now)
        let isForbidden =
            stored[index].control.keys.contains("no-store") || call.control.keys.contains("no-store")
        if isForbidden { stored.removeAll { $0.path == call.path } }
        return Outcome(body: entry.body, status: entry.status, age: plan.age)
    }

    /// Section 4.4.
    private mutating func write(_ call: Call) -> Outcome? {
        let (plan, number) = next(isConditional: false)
        // After a lost connection, the server may have processed the write.
        if plan.fails || plan.status < 400 { stored.removeAll { $0.path == call.path } }
        guard !plan.fails else { return nil }
        if plan.status < 400 {
            versions[call.path, default: 0] += 1
        }
        return Outcome(body: number, status: plan.status, age: nil)
    }
}
