import ErrandSupport

/// The right to request a response that is missing or stale in a ``CacheStore``.
public final class CacheLease: Sendable {
    /// How a request with a lease ended.
    public enum Outcome: Sendable, Hashable {
        /// The response was stored, or a stored one was validated.
        case stored
        /// The response may not be stored. Other processes need not wait for the next one.
        case notStorable
        /// The request failed, or the response was not read to its end.
        case failed
    }

    /// Whether ``CacheStore/entries(for:)`` may have new entries, such as that of the process that was waited for.
    public let hasNewEntries: Bool
    private let onEnd: @Sendable (Outcome) async -> Void
    private let isEnded = Locked(false)

    /// Creates a lease.
    /// - Parameters:
    ///   - hasNewEntries: Whether the store may have new entries. The default is `false`.
    ///   - onEnd: Called once at the end of the request, also if its task is cancelled. The default does nothing.
    public init(hasNewEntries: Bool = false, onEnd: @escaping @Sendable (Outcome) async -> Void = { _ in }) {
        (self.hasNewEntries, self.onEnd) = (hasNewEntries, onEnd)
    }

    /// Ends the lease. Does nothing if it has ended.
    package func end(_ outcome: Outcome) async {
        let isFirst = isEnded.withLock { isEnded in
            defer { isEnded = true }
            return !isEnded
        }
        if isFirst { await onEnd(outcome) }
    }
}
