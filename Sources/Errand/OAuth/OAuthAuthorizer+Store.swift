import ErrandSupport

extension OAuthAuthorizer {
    enum Found {
        case unchanged
        case removed
        case found(OAuthToken)
        case unreadable(any Error)
    }

    /// Compares the token in the store with the last known one. Another process may have refreshed it.
    ///
    /// Until the last sign-in or sign-out is stored, the token in the store is older than that, regardless of its
    /// writer. A refresh that has been replaced changes no state, and gets ``Found/unchanged``.
    func look(for refresh: Machine.Refresh) async -> Found {
        do {
            return try await usingStore {
                let stored = try await self.store.load()
                return self.state.withLock { state in
                    guard state.machine.isUnderWay(refresh) else { return .unchanged }
                    let known = state.known ?? nil
                    state.known = .some(stored)
                    guard !state.isUnsaved else { return .unchanged }
                    guard let stored else { return known == nil ? .unchanged : .removed }
                    return stored == known ? .unchanged : .found(stored)
                }
            }
        } catch {
            return .unreadable(error)
        }
    }

    /// Writes the current token to the store. Call this after each change of the token, so that the last write contains
    /// the last change.
    @discardableResult
    func persist() async -> ServiceError? {
        do {
            try await usingStore {
                let token = self.state.withLock { $0.machine.token }
                try await self.store.save(token)
                self.state.withLock { state in
                    state.known = .some(token)
                    if state.machine.token == token { state.isUnsaved = false }
                }
            }
            return nil
        } catch {
            report(error)
            return wrapped(error)
        }
    }

    /// Applies a sign-in or sign-out at once, and then stores it.
    /// - Returns: The previous token: that of the store, or the newest known one if the store is empty or cannot be
    ///   read.
    @discardableResult
    func change(_ event: @Sendable (inout Machine) -> Machine.Resumed?) async throws -> OAuthToken? {
        let (resumed, refresh, last) = state.withLock { state in
            let refresh = state.refresh
            let last = state.found ?? state.machine.token ?? state.known ?? nil
            (state.found, state.refresh, state.isUnsaved) = (nil, nil, true)
            return (event(&state.machine), refresh, last)
        }
        // The refresh is obsolete, and it may hold the lock of the store.
        refresh?.cancel()
        resume(resumed)
        // An unstructured task: the change is stored even if the caller is cancelled.
        let storing = Task { () -> (stored: OAuthToken?, failure: ServiceError?) in
            let outcome = Locked<(stored: OAuthToken?, failure: ServiceError?)>((nil, nil))
            await self.exclusively {
                // Another process may have stored a newer token. Then that is the token to revoke.
                let stored = try? await self.usingStore { try await self.store.load() }
                let failure = await self.persist()
                outcome.withLock { $0 = (stored ?? nil, failure) }
            }
            return outcome.withLock { $0 }
        }
        let outcome = await storing.value
        if let failure = outcome.failure { throw failure }
        return outcome.stored ?? last
    }

    /// Runs the work once, while no other user of the store refreshes. If the lock is not available, the work runs
    /// without it, unless the store forbids that for a refresh.
    ///
    /// The lock is acquired before any access to the store. An access to the store never waits for the lock.
    /// - Parameters:
    ///   - work: The work.
    ///   - refused: Called instead of a refresh without the lock. `nil` for other work.
    func exclusively(
        _ work: @escaping @Sendable () async -> Void, orElse refused: ((ServiceError) async -> Void)? = nil
    ) async {
        let hasRun = Locked(false)
        let runOnce: @Sendable () async -> Void = {
            let isFirst = hasRun.withLock { hasRun in
                defer { hasRun = true }
                return !hasRun
            }
            if isFirst { await work() }
        }
        do {
            try await store.exclusively(runOnce)
        } catch {
            // Cancelled by a sign-in or sign-out, which replaces this refresh.
            guard !Task.isCancelled else { return }
            report(error)
            if let refused, !store.refreshesWithoutLock, !hasRun.withLock({ $0 }) {
                return await refused(wrapped(error))
            }
        }
        await runOnce()
    }

    /// Runs one access to the store at a time, in order. Writes never overlap, and an older state never replaces a
    /// newer one in ``State/known``.
    private func usingStore<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let use = state.withLock { state in
            let last = state.lastUse
            // Unstructured tasks: cancellation does not interrupt an access, and the next one waits for its end.
            let use = Task {
                await last?.value
                return try await work()
            }
            state.lastUse = Task { _ = await use.result }
            return use
        }
        return try await use.value
    }

    /// Returns the remaining lifetime of a token by the wall clock of a time source, or `nil` if it has no expiry.
    func lifetime(of token: OAuthToken, on time: any TimeSource) -> Duration? {
        token.expiry.map { .seconds(min(max(-1e9, $0.timeIntervalSince(time.date)), 1e9)) }
    }

    func report(_ error: any Error) { onEvent(.storeFailed(wrapped(error))) }

    func wrapped(_ error: any Error) -> ServiceError {
        ServiceError(wrapping: error, as: .authorization, "the token refresh or the token store failed")
    }
}
