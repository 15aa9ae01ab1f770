import ErrandSupport

/// The adapters of injected sessions: one for each session, kept until that session is released.
///
/// One adapter for each call would open new connections for each request. A strong reference would never be released.
final class RebuiltSessions: Sendable {
    private struct Entry {
        weak var session: URLSession?
        let adapter: URLSessionAdapter
    }

    private let entries = Locked<[ObjectIdentifier: Entry]>([:])

    func adapter(for session: URLSession, make: @Sendable (URLSession) -> URLSessionAdapter) -> URLSessionAdapter {
        entries.withLock { entries in
            // A memory address can be reused after its session was released, so the identity is checked too.
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

    /// Returns the adapter of an injected session.
    static func adapter(for session: URLSession) -> URLSessionAdapter {
        rebuilt.adapter(for: session, make: Platform.adapter)
    }
}
