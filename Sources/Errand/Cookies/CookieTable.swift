/// The cookies of a jar, grouped by domain. It is a pure value (RFC 6265bis, sections 5.7 and 5.8).
struct CookieTable {
    /// The maximum number of cookies of one domain.
    static let domainLimit = 50
    /// The maximum total number of cookies.
    static let limit = 3_000

    private struct Entry {
        var cookie: Cookie
        /// The values of ``turn`` at which the cookie was first set and last used. They order cookies that have equal
        /// dates.
        let made: Int
        var used: Int

        /// Returns whether the cookie is evicted before another. A cookie without `Secure` is evicted first, then the
        /// least recently used one.
        func isEvicted(before other: Entry) -> Bool {
            (cookie.isSecure ? 1 : 0, used, made) < (other.cookie.isSecure ? 1 : 0, other.used, other.made)
        }
    }

    private var domains: [String: [Entry]] = [:]
    /// The number of cookies. An expired cookie counts until a later one evicts it.
    private(set) var count = 0
    private var turn = 0

    /// Returns the value of the `Cookie` header for a URL, or `nil` if there is nothing to send. Longer paths are
    /// first, then older cookies (section 5.8.3).
    mutating func header(for url: CookieURL, at date: Date) -> String? {
        turn += 1
        var found: [Entry] = []
        for domain in url.domains {
            for (index, entry) in (domains[domain] ?? []).enumerated()
            where entry.cookie.isMeant(for: url, at: date) {
                domains[domain]?[index].used = turn
                found.append(entry)
            }
        }
        guard !found.isEmpty else { return nil }
        found.sort { ($1.cookie.path.utf8.count, $0.made) < ($0.cookie.path.utf8.count, $1.made) }
        return found.map { "\($0.cookie.name)=\($0.cookie.value.reveal())" }.joined(separator: "; ")
    }

    /// Stores the cookies of a response (section 5.7).
    mutating func keep(_ cookies: [Cookie], from url: CookieURL, at date: Date) {
        // A response over http sets no `Secure` cookie, so that the protected ones stay the same during the loop.
        let protected = url.isSecure || cookies.isEmpty ? [:] : secureCookies(at: date)
        for cookie in cookies {
            let isShadow = protected[cookie.name]?.contains { cookie.collides(withSecure: $0) } ?? false
            if !isShadow { keep(cookie, at: date) }
        }
        if count > Self.limit { removeAll { $0.cookie.hasExpired(at: date) } }
        let excess = count - Self.limit
        guard excess > 0 else { return }
        let entries = domains.values.joined().sorted { $0.isEvicted(before: $1) }
        let first = entries[excess]
        removeAll { $0.isEvicted(before: first) }
    }

    /// The `Secure` cookies that have not expired, by their names.
    private func secureCookies(at date: Date) -> [String: [Cookie]] {
        let secure = domains.values.joined().lazy.map(\.cookie).filter { $0.isSecure && !$0.hasExpired(at: date) }
        return Dictionary(grouping: secure, by: \.name)
    }

    /// Stores a cookie and removes the older one that it replaces. A cookie that has expired is not stored.
    private mutating func keep(_ cookie: Cookie, at date: Date) {
        turn += 1
        var entries = (domains[cookie.domain] ?? []).filter { !$0.cookie.hasExpired(at: date) }
        let index = entries.firstIndex { cookie.replaces($0.cookie) }
        let old = index.map { entries.remove(at: $0) }
        if !cookie.hasExpired(at: date) {
            entries.append(Entry(cookie: cookie, made: old?.made ?? turn, used: turn))
        }
        if entries.count > Self.domainLimit,
            let first = entries.indices.min(by: { entries[$0].isEvicted(before: entries[$1]) })
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
