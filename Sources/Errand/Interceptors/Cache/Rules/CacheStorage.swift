import ErrandSupport

/// The rules for storing responses (RFC 9111, section 3).
enum CacheStorage {
    /// Headers that belong to the connection or to a proxy, not to the response (section 3.1).
    private static let connectionHeaders: Set<String> = [
        "connection", "keep-alive", "te", "transfer-encoding", "upgrade", "proxy-connection", "proxy-authenticate",
        "proxy-authentication-info", "proxy-authorization",
    ]

    /// Headers of a validation that describe the stored body, which has not changed (section 3.2).
    private static let bodyHeaders: Set<String> = [
        "content-encoding", "content-length", "content-range", "content-type",
    ]

    /// The statuses that this library understands, for `must-understand` (section 5.2.2.3).
    private static let understood: Set<Int> = [
        200, 201, 202, 203, 204, 205, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409,
        410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 511,
    ]

    /// Returns the reason why a response is not stored, or `nil` if it may be stored.
    static func obstacle(_ head: ResponseHead, _ facts: CacheFacts, _ request: CacheDirectives) -> String? {
        let directives = facts.directives
        if request.contains("no-store") { return "the request has no-store" }
        if directives.contains("must-understand") {
            guard understood.contains(head.status) else { return "must-understand" }
        } else if directives.contains("no-store") {
            return "no-store"
        }
        switch head.status {
        case 200..<600 where head.status != 206 && head.status != 304: break
        default: return "status \(head.status)"
        }
        guard facts.isExplicit || CacheFacts.isHeuristicallyCacheable(head.status) || directives.contains("public")
        else {
            return "status \(head.status) without an explicit lifetime"
        }
        // A response that is never fresh and cannot be validated is useless.
        let isUsable =
            facts.lifetime > 0 || !head.validators.isEmpty || directives.contains("stale-if-error")
            || directives.contains("stale-while-revalidate")
        return isUsable ? nil : "neither a lifetime nor a validator"
    }

    /// Returns the header section that is stored (section 3.1).
    static func stored(_ head: ResponseHead, _ facts: CacheFacts, url: URL) -> ResponseHead {
        let removed = excluded(head.headers).union(facts.directives.fields("no-cache"))
        let headers = head.headers.filter { !removed.contains($0.name.lowercased()) }
        return ResponseHead(status: head.status, reason: head.reason, headers: HeaderFields(headers), url: url)
    }

    /// Returns the stored header section with the headers of a validation or of a HEAD response (section 3.2).
    static func updated(_ stored: ResponseHead, with new: ResponseHead) -> ResponseHead {
        let kept = excluded(new.headers).union(bodyHeaders).union(CacheDirectives(new.headers).fields("no-cache"))
        let update = new.headers.filter { !kept.contains($0.name.lowercased()) }
        // The age and the date of the stored response no longer apply.
        let replaced = Set(update.map { $0.name.lowercased() }).union(["age", "date"])
        let headers = stored.headers.filter { !replaced.contains($0.name.lowercased()) } + update
        return ResponseHead(
            status: stored.status, reason: stored.reason, headers: HeaderFields(headers), url: stored.url)
    }

    /// Whether a validation refers to a stored response. The entity tags must match (section 4.3.4).
    static func isValidated(_ stored: ResponseHead, by new: ResponseHead) -> Bool {
        let (old, new) = (stored.validators, new.validators)
        guard let tag = new.entityTag else { return true }
        return old.entityTag.map { $0.matchesWeakly(tag) } ?? false
    }

    /// Whether a HEAD response describes the stored body (section 4.3.5).
    static func isSameBody(_ stored: ResponseHead, size: Int64?, _ new: ResponseHead) -> Bool {
        let length = stored.headers["Content-Encoding"] == nil ? size.map { "\($0)" } : nil
        return stored.status == 200
            && ["ETag", "Last-Modified", "Content-Length"].allSatisfy { name in
                guard let value = new.headers[name] else { return true }
                return value == stored.headers[name] ?? (name == "Content-Length" ? length : nil)
            }
    }

    private static func excluded(_ headers: HeaderFields) -> Set<String> {
        let listed = headers.all("Connection").flatMap { $0.split(separator: ",") }
            .map { $0.trimmed(.whitespaces).lowercased() }
        return connectionHeaders.union(listed)
    }
}
