import ErrandSupport

extension OAuthAuthorizer {
    /// How often a refresh goes on with what another process has left in the store: twice after its own token.
    private static let mostRounds = 3

    /// Begins a refresh, on the clock of the request that needs it.
    func begin(_ refresh: Machine.Refresh, on time: any TimeSource) {
        let end = time.now + settings.refreshDeadline
        // A task of its own: whatever becomes of the callers, what the server answers must be taken and stored.
        let task = Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    guard (try? await time.sleep(until: end)) != nil else { return }
                    self.letGo(refresh, now: time.now)
                }
                await self.exclusively { await self.refresh(refresh, on: time) }
                group.cancelAll()
            }
        }
        let isOfThePast = state.withLock { state in
            guard state.machine.isUnderWay(refresh) else { return true }
            state.refresh = task
            return false
        }
        // It has ended already, or a sign-in or sign-out came between.
        if isOfThePast { task.cancel() }
    }

    /// Lets those who wait go.
    private func letGo(_ refresh: Machine.Refresh, now: Duration) {
        let error = ServiceError(.timeout, "the refresh took longer than \(settings.refreshDeadline.milliseconds) ms")
        resume(state.withLock { $0.machine.overdue(refresh, error, now: now) })
    }

    private func refresh(_ refresh: Machine.Refresh, on time: any TimeSource) async {
        var refusal: ServiceError?
        for round in 0...Self.mostRounds {
            guard let base = await base(for: refresh, after: refusal, on: time) else { return }
            // There was another token each time, and the last one has not been refused yet.
            if let refusal, round == Self.mostRounds { return await fail(refresh, refusal, ends: false, on: time) }
            do {
                return await land(refresh, try await renew(base.token, time).following(base.token), on: time)
            } catch is SessionOver {
                let reason = base.token == nil ? "nobody is signed in" : "there is no refresh token"
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

    /// What is to be renewed.
    private struct Base {
        let token: OAuthToken?
    }

    /// Looks for what is to be renewed, after a refusal for what else there is; nil where the refresh has ended by it.
    private func base(
        for refresh: Machine.Refresh, after refusal: ServiceError?, on time: any TimeSource
    ) async -> Base? {
        let look = await look(for: refresh)
        // A sign-in that came between has a token that is not this refresh's to show.
        guard let base = base(of: refresh) else { return nil }
        switch look {
        case .unchanged:
            guard let refusal else { return base }
            // What is stored is what was refused, or older than that.
            await fail(refresh, refusal, ends: true, removes: true, on: time)
        case .removed:
            let error = ServiceError(.authorization, "the session was ended elsewhere")
            await fail(refresh, refusal ?? error, ends: true, on: time)
        case .found(let token):
            guard isFresh(token, on: time), token.access != base.token?.access else {
                return self.base(of: refresh, found: token)
            }
            await land(refresh, token, isFound: true, on: time)
        case .unreadable(let error):
            report(error)
            // Somebody else's token may be there: nothing is removed.
            if refusal == nil, base.token != nil { return base }
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
        // What was refused is worth nothing any more, and goes before anybody hears of it.
        if outcome.hasEnded, removes, isStored { await persist() }
        // Said before those who wait fail, so that whoever hears of the failure can count on it.
        if outcome.hasEnded, hadToken { onEvent(.sessionEnded(error)) }
        resume(outcome.resumed)
    }

    private func isFresh(_ token: OAuthToken, on time: any TimeSource) -> Bool {
        lifetime(of: token, on: time).map { $0 > settings.clockSkew } ?? true
    }
}
