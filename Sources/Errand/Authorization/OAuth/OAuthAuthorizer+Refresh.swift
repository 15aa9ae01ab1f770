extension OAuthAuthorizer {
    /// Begins a refresh.
    func begin(_ flight: Machine.Flight) {
        let (time, end) = (time, time.now + settings.refreshDeadline)
        // A task of its own: whatever becomes of the callers, what the server answers must be taken and stored.
        Task {
            await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    await self.run(flight)
                    return true
                }
                group.addTask {
                    guard (try? await time.sleep(until: end)) != nil else { return true }
                    return self.isOverdue(flight)
                }
                if await group.next() ?? true { group.cancelAll() }
            }
        }
    }

    /// Lets those who wait go; false where the token is here, and is only being stored.
    private func isOverdue(_ flight: Machine.Flight) -> Bool {
        let error = ServiceError(.timeout, "the refresh took longer than \(settings.refreshDeadline.milliseconds) ms")
        let now = time.now
        let (resumed, cancels) = state.withLock { $0.machine.overdue(flight, error, now: now) }
        resume(resumed)
        return cancels
    }

    private func run(_ flight: Machine.Flight) async {
        let hasRun = Locked(false)
        do {
            try await store.exclusively {
                hasRun.withLock { $0 = true }
                await self.refresh(flight)
            }
        } catch {
            guard !Task.isCancelled else { return }
            report(error)
            // Without the lock another process may refresh too; without a token nothing would go on.
            if !hasRun.withLock({ $0 }) { await refresh(flight) }
        }
    }

    private func refresh(_ flight: Machine.Flight) async {
        var base = state.withLock { $0.found ?? $0.machine.token }
        do {
            switch try await look() {
            case .unchanged: break
            case .removed:
                return await fail(flight, ServiceError(.authorization, "the session was ended elsewhere"), ends: true)
            case .found(let token):
                if isFresh(token), token.access != base?.access { return await land(flight, token, isFound: true) }
                base = token
                state.withLock { $0.found = token }
            }
        } catch {
            report(error)
            if base == nil { return await fail(flight, wrapped(error), ends: false) }
        }
        do {
            await land(flight, try await renew(base).following(base))
        } catch is SessionOver {
            let error = ServiceError(.authorization, base == nil ? "nobody is signed in" : "there is no refresh token")
            await fail(flight, error, ends: true)
        } catch {
            let error = wrapped(error)
            await fail(flight, error, ends: error.oauthError?.code == .invalidGrant)
        }
    }

    private func land(_ flight: Machine.Flight, _ token: OAuthToken, isFound: Bool = false) async {
        let (now, lifetime) = (time.now, lifetime(of: token))
        let isTaken = state.withLock { state in
            let isTaken = state.machine.landed(flight, token, lifetime: lifetime, isFound: isFound, now: now)
            if isTaken { state.found = nil }
            return isTaken
        }
        guard isTaken else { return }
        await persist()
        let end = time.now
        resume(state.withLock { $0.machine.stored(flight, now: end) })
    }

    private func fail(_ flight: Machine.Flight, _ error: ServiceError, ends: Bool) async {
        let now = time.now
        let (outcome, hadToken) = state.withLock { state in
            let hadToken = (state.machine.token ?? state.found) != nil
            let outcome = state.machine.failed(flight, error, endsSession: ends, now: now)
            if outcome.hasEnded { state.found = nil }
            return (outcome, hadToken)
        }
        // What is stored is worth nothing any more, and goes before anybody hears of it.
        if outcome.hasEnded { await persist() }
        resume(outcome.resumed)
        if outcome.hasEnded, hadToken { onEvent(.sessionEnded(error)) }
    }
}

extension OAuthAuthorizer {
    enum Found {
        case unchanged
        case removed
        case found(OAuthToken)
    }

    /// Looks whether the store holds what it was last seen to: another process may have refreshed.
    func look() async throws -> Found {
        let stored = try await store.load()
        return state.withLock { state in
            let known = state.known
            state.known = .some(stored)
            guard let stored else { return (known ?? nil) == nil ? .unchanged : .removed }
            return stored == (known ?? nil) ? .unchanged : .found(stored)
        }
    }

    /// Writes the machine's token until the store holds it: a sign-in may have changed it meanwhile.
    /// - Returns: Why the store can't be written.
    @discardableResult
    func persist() async -> ServiceError? {
        // A task of its own: a rotated token is stored also where the refresh, or who signs in, is cancelled.
        await Task { () -> ServiceError? in
            for _ in 1...10 {
                let (token, known) = self.state.withLock { ($0.machine.token, $0.known) }
                if known == .some(token) { return nil }
                do {
                    try await self.store.save(token)
                } catch {
                    self.report(error)
                    return self.wrapped(error)
                }
                self.state.withLock { $0.known = .some(token) }
            }
            return nil
        }.value
    }

    /// How long a token is good for by the wall clock.
    func lifetime(of token: OAuthToken) -> Duration? {
        token.expiry.map { .seconds(min(max(-1e9, $0.timeIntervalSince(time.date)), 1e9)) }
    }

    private func isFresh(_ token: OAuthToken) -> Bool { lifetime(of: token).map { $0 > settings.clockSkew } ?? true }

    private func report(_ error: any Error) { onEvent(.storeFailed(wrapped(error))) }

    private func wrapped(_ error: any Error) -> ServiceError {
        ServiceError(wrapping: error, as: .authorization, "the refresh failed")
    }
}
