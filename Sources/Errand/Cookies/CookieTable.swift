/// A jar's cookies, by their domains: a pure value (RFC 6265, sections 5.3 and 5.4).
struct CookieTable {
    /// The most cookies of one domain.
    static let domainLimit = 50
    /// The most cookies in all.
    static let limit = 3_000

    private struct Entry {
        var cookie: Cookie
        /// When it first came and was last used, in steps of ``turn``: several may share a date.
        let made: Int
        var used: Int

        /// Whether it makes room before another.
        func goes(before other: Entry) -> Bool { (used, made) < (other.used, other.made) }
    }

    private var domains: [String: [Entry]] = [:]
    /// How many are kept. One that has expired counts until a later cookie makes it go.
    private(set) var count = 0
    private var turn = 0

    /// What is sent to an address then, in its order (section 5.4); nil where that is nothing.
    mutating func field(for address: CookieAddress, at date: Date) -> String? {
        turn += 1
        var found: [Entry] = []
        for domain in address.domains {
            for (place, entry) in (domains[domain] ?? []).enumerated()
            where entry.cookie.isMeant(for: address, at: date) {
                domains[domain]?[place].used = turn
                found.append(entry)
            }
        }
        guard !found.isEmpty else { return nil }
        found.sort { ($1.cookie.path.utf8.count, $0.made) < ($0.cookie.path.utf8.count, $1.made) }
        return found.map { "\($0.cookie.name)=\($0.cookie.value.reveal())" }.joined(separator: "; ")
    }

    /// Keeps what an answer sets (section 5.3).
    mutating func keep(_ cookies: [Cookie], from address: CookieAddress, at date: Date) {
        for cookie in cookies { keep(cookie, from: address, at: date) }
        if count > Self.limit { removeAll { $0.cookie.hasExpired(at: date) } }
        let excess = count - Self.limit
        guard excess > 0 else { return }
        let entries = domains.values.joined().sorted { $0.goes(before: $1) }
        let first = entries[excess]
        removeAll { $0.goes(before: first) }
    }

    /// Keeps a cookie in the place of an older one, or removes that where the new one has expired.
    private mutating func keep(_ cookie: Cookie, from address: CookieAddress, at date: Date) {
        turn += 1
        var entries = (domains[cookie.domain] ?? []).filter { !$0.cookie.hasExpired(at: date) }
        let place = entries.firstIndex { cookie.replaces($0.cookie) }
        let old = place.map { entries[$0] }
        // Whoever reads and writes http must not put a cookie of their own where https sends its secrets.
        if let old, old.cookie.isSecure, !address.isSecure { return }
        if let place { entries.remove(at: place) }
        if !cookie.hasExpired(at: date) {
            entries.append(Entry(cookie: cookie, made: old?.made ?? turn, used: turn))
        }
        if entries.count > Self.domainLimit,
            let first = entries.indices.min(by: { entries[$0].goes(before: entries[$1]) })
        {
            entries.remove(at: first)
        }
        put(entries, at: cookie.domain)
    }

    private mutating func removeAll(where isRemoved: (Entry) -> Bool) {
        for (domain, entries) in domains { put(entries.filter { !isRemoved($0) }, at: domain) }
    }

    private mutating func put(_ entries: [Entry], at domain: String) {
        count += entries.count - (domains[domain]?.count ?? 0)
        domains[domain] = entries.isEmpty ? nil : entries
    }
}
