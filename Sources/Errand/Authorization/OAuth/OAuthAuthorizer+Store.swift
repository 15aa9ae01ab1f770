extension OAuthAuthorizer {
    enum Found {
        case unchanged
        case removed
        case found(OAuthToken)
        case unreadable(any Error)
    }

    /// Looks whether the store holds what it was last seen to: another process may have refreshed.
    func look() async -> Found {
        let stored: OAuthToken?
        let known: OAuthToken?
        do {
            (stored, known) = try await usingStore {
                let stored = try await self.store.load()
                let known = self.state.withLock { state in
                    defer { state.known = .some(stored) }
                    return state.known ?? nil
                }
                return (stored, known)
            }
        } catch {
            return .unreadable(error)
        }
        guard let stored else { return known == nil ? .unchanged : .removed }
        return stored == known ? .unchanged : .found(stored)
    }

    /// Writes the machine's token. Whoever changes that calls this, so that the last write has the last change.
    @discardableResult
    func persist() async -> ServiceError? {
        do {
            try await usingStore {
                let token = self.state.withLock { $0.machine.token }
                try await self.store.save(token)
                self.state.withLock { $0.known = .some(token) }
            }
            return nil
        } catch {
            report(error)
            return wrapped(error)
        }
    }

    /// Makes a sign-in or sign-out known here at once, and then in the store.
    func change(_ event: (inout State) -> Machine.Resumed?) async throws {
        let (resumed, refresh) = state.withLock { state in
            let refresh = state.refresh
            (state.found, state.refresh) = (nil, nil)
            return (event(&state), refresh)
        }
        // What it would bring is of the past, and it may hold the store's lock.
        refresh?.cancel()
        resume(resumed)
        // A task of its own: it is stored also where who signs in is cancelled.
        let storing = Task { () -> ServiceError? in
            let failure = Locked<ServiceError?>(nil)
            await self.exclusively {
                let result = await self.persist()
                failure.withLock { $0 = result }
            }
            return failure.withLock { $0 }
        }
        if let failure = await storing.value { throw failure }
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

    /// How long a token is good for by the wall clock.
    func lifetime(of token: OAuthToken) -> Duration? {
        token.expiry.map { .seconds(min(max(-1e9, $0.timeIntervalSince(time.date)), 1e9)) }
    }

    func report(_ error: any Error) { onEvent(.storeFailed(wrapped(error))) }

    func wrapped(_ error: any Error) -> ServiceError {
        ServiceError(wrapping: error, as: .authorization, "the refresh failed")
    }
}
