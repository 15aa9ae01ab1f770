import ErrandSupport

extension OAuthAuthorizer {
    /// The maximum number of attempts of one refresh: its own token, and two newer tokens that other processes stored.
    private static let maximumRounds = 3

    /// Starts a refresh on the clock of the request that requires it.
    func begin(_ refresh: Machine.Refresh, on time: any TimeSource) {
        let end = time.now + settings.refreshDeadline
        // An unstructured task: the response of the server must be stored even if all callers are cancelled.
        let task = Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    guard (try? await time.sleep(until: end)) != nil else { return }
                    self.letGo(refresh, now: time.now)
                }
                await self.exclusively {
                    await self.refresh(refresh, on: time)
                } orElse: { error in
                    await self.fail(refresh, error, ends: false, on: time)
                }
                group.cancelAll()
            }
        }
        let isOfThePast = state.withLock { state in
            guard state.machine.isUnderWay(refresh) else { return true }
            state.refresh = task
            return false
        }
        // The refresh has already ended, or a sign-in or sign-out has replaced it.
        if isOfThePast { task.cancel() }
    }

    /// Ends the wait for an overdue refresh.
    private func letGo(_ refresh: Machine.Refresh, now: Duration) {
        let error = ServiceError(.timeout, "the refresh took longer than \(settings.refreshDeadline.milliseconds) ms")
        resume(state.withLock { $0.machine.overdue(refresh, error, now: now) })
    }

    private func refresh(_ refresh: Machine.Refresh, on time: any TimeSource) async {
        var refusal: ServiceError?
        for round in 0...Self.maximumRounds {
            guard let base = await base(for: refresh, after: refusal, on: time) else { return }
            // The store had another token after each refusal, and the last one has not been tried.
            if let refusal, round == Self.maximumRounds { return await fail(refresh, refusal, ends: false, on: time) }
            do {
                return await land(refresh, try await renew(base.token, time).following(base.token), on: time)
            } catch is SessionOver {
                let reason =
                    base.token == nil
                    ? "not signed in: call signIn(_:) first" : "the token has no refresh token: sign in again"
                refusal = ServiceError(.authorization, reason)
            } catch {
                let error = wrapped(error)
                guard error.oauthError?.code.isRefusedGrant ?? false else {
                    return await fail(refresh, error, ends: false, on: time)
                }
                refusal = error
            }
        }
    }

    /// The token to renew, or `nil` before the first one.
    private struct Base {
        let token: OAuthToken?
    }

    /// Returns the token to renew. After a refusal, this is another token from the store. Returns `nil` if this ended
    /// the refresh.
    private func base(
        for refresh: Machine.Refresh, after refusal: ServiceError?, on time: any TimeSource
    ) async -> Base? {
        let look = await look(for: refresh)
        // After a sign-in, this refresh must not send the new token.
        guard let base = base(of: refresh) else { return nil }
        switch look {
        case .unchanged:
            guard let refusal else { return base }
            // The store has the refused token, or an older one.
            await fail(refresh, refusal, ends: true, removes: true, on: time)
        case .removed:
            let error = ServiceError(.authorization, "another process removed the token from the store: sign in again")
            await fail(refresh, refusal ?? error, ends: true, on: time)
        case .found(let token):
            guard isFresh(token, on: time), token.access != base.token?.access else {
                return self.base(of: refresh, found: token)
            }
            await land(refresh, token, isFound: true, on: time)
        case .unreadable(let error):
            report(error)
            // The store may contain the token of another process, so nothing is removed.
            if refusal == nil, base.token != nil, store.refreshesWithoutLock { return base }
            await fail(refresh, refusal ?? wrapped(error), ends: refusal != nil, on: time)
        }
        return nil
    }

    private func base(of refresh: Machine.Refresh, found: OAuthToken? = nil) -> Base? {
        state.withLock { state in
            guard state.machine.isUnderWay(refresh) else { return nil }
            if let found { state.found = found }
            return Base(token: state.found ?? state.machine.token)
        }
    }

    private func land(
        _ refresh: Machine.Refresh, _ token: OAuthToken, isFound: Bool = false, on time: any TimeSource
    ) async {
        let (now, lifetime) = (time.now, lifetime(of: token, on: time))
        let isTaken = state.withLock { state in
            let isTaken = state.machine.received(refresh, token, lifetime: lifetime, isFound: isFound, now: now)
            if isTaken { state.found = nil }
            return isTaken
        }
        guard isTaken else { return }
        if !isFound { await persist() }
        let end = time.now
        resume(state.withLock { $0.machine.stored(refresh, now: end) })
    }

    private func fail(
        _ refresh: Machine.Refresh, _ error: ServiceError, ends: Bool, removes: Bool = false, on time: any TimeSource
    ) async {
        let now = time.now
        let (outcome, hadToken, isStored) = state.withLock { state in
            let hadToken = (state.machine.token ?? state.found) != nil
            let isStored = (state.known ?? nil) != nil
            let outcome = state.machine.failed(refresh, error, endsSession: ends, now: now)
            if outcome.hasEnded { state.found = nil }
            return (outcome, hadToken, isStored)
        }
        // The refused token is useless. It is removed from the store before the event and the failures are reported.
        if outcome.hasEnded, removes, isStored { await persist() }
        // Reported before the waiting requests fail, so that callers can rely on it when they receive the failure.
        if outcome.hasEnded, hadToken { onEvent(.sessionEnded(error)) }
        resume(outcome.resumed)
    }

    private func isFresh(_ token: OAuthToken, on time: any TimeSource) -> Bool {
        lifetime(of: token, on: time).map { $0 > settings.clockSkew } ?? true
    }
}
