import ErrandSupport

/// The adapters of injected sessions: one for each session, for as long as that session lives.
///
/// One per call would open new connections for each request; a strong reference would keep sessions for ever.
final class RebuiltSessions: Sendable {
    private struct Entry {
        weak var session: URLSession?
        let adapter: URLSessionAdapter
    }

    private let entries = Locked<[ObjectIdentifier: Entry]>([:])

    func adapter(for session: URLSession, make: @Sendable (URLSession) -> URLSessionAdapter) -> URLSessionAdapter {
        entries.withLock { entries in
            // An address can be used again after its session is gone, so the identity is checked too.
            if let entry = entries[ObjectIdentifier(session)], entry.session === session { return entry.adapter }
            entries = entries.filter { $0.value.session != nil }
            let adapter = make(session)
            entries[ObjectIdentifier(session)] = Entry(session: session, adapter: adapter)
            return adapter
        }
    }
}

extension URLSessionAdapter {
    private static let rebuilt = RebuiltSessions()

    /// The adapter of a session that somebody injected.
    static func adapter(for session: URLSession) -> URLSessionAdapter {
        rebuilt.adapter(for: session, make: Platform.adapter)
    }
}
