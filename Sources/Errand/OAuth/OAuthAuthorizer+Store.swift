import ErrandSupport

extension OAuthAuthorizer {
    enum Found {
        case unchanged
        case removed
        case found(OAuthToken)
        case unreadable(any Error)
    }

    /// Looks whether the store holds what it was last seen to: another process may have refreshed.
    ///
    /// As long as a sign-in or sign-out is not stored, what is there is older than that, whoever wrote it. A refresh of the
    /// past learns nothing for those that come after it.
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

    /// Writes the machine's token. Whoever changes that calls this, so that the last write has the last change.
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

    /// Makes a sign-in or sign-out known here at once, and then in the store.
    /// - Returns: What was there before: the store's token where it could be read, else the newest that was known here.
    @discardableResult
    func change(_ event: @Sendable (inout Machine) -> Machine.Resumed?) async throws -> OAuthToken? {
        let (resumed, refresh, last) = state.withLock { state in
            let refresh = state.refresh
            let last = state.found ?? state.machine.token ?? state.known ?? nil
            (state.found, state.refresh, state.isUnsaved) = (nil, nil, true)
            return (event(&state.machine), refresh, last)
        }
        // What it would bring is of the past, and it may hold the store's lock.
        refresh?.cancel()
        resume(resumed)
        // A task of its own: it is stored also where who signs in is cancelled.
        let storing = Task { () -> (stored: OAuthToken?, failure: ServiceError?) in
            let outcome = Locked<(stored: OAuthToken?, failure: ServiceError?)>((nil, nil))
            await self.exclusively {
                // Another process may have got a newer one, which is what is to be revoked then.
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

    /// Runs work, once, while nobody else refreshes who shares the store. Where the lock can't be had it runs as well:
    /// without a token nothing would go on.
    ///
    /// The order is this lock first, and the store's use in it: whoever uses the store waits for nobody's lock.
    func exclusively(_ work: @escaping @Sendable () async -> Void) async {
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
            // By a sign-in or sign-out, whose past this is.
            guard !Task.isCancelled else { return }
            report(error)
        }
        await runOnce()
    }

    /// Uses the store when all who came before have done so: neither do two writes cross, nor does an older state of it
    /// come to be known after a newer one.
    private func usingStore<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let use = state.withLock { state in
            let last = state.lastUse
            // Tasks of their own: a use is not broken off in its middle, and those behind it wait for its end.
            let use = Task {
                await last?.value
                return try await work()
            }
            state.lastUse = Task { _ = await use.result }
            return use
        }
        return try await use.value
    }

    /// How long a token is good for, by the wall clock of a time source.
    func lifetime(of token: OAuthToken, on time: any TimeSource) -> Duration? {
        token.expiry.map { .seconds(min(max(-1e9, $0.timeIntervalSince(time.date)), 1e9)) }
    }

    func report(_ error: any Error) { onEvent(.storeFailed(wrapped(error))) }

    func wrapped(_ error: any Error) -> ServiceError {
        ServiceError(wrapping: error, as: .authorization, "the refresh failed")
    }
}
