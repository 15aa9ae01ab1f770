import ErrandSupport

extension OAuthAuthorizer {
    /// Asks the state machine for a token, and suspends if it decides to wait. Returns `nil` if a new token would not
    /// help: the caller then returns the refusal of the API.
    func lease(
        for request: APIRequest, _ ask: @escaping @Sendable (inout Machine, UInt64, Duration) -> Machine.Decision
    ) async throws -> Machine.Lease? {
        try Task.checkCancellation()
        return try await race(request.options.deadline) { try await self.wait(on: request.options.time, ask) }
    }

    private enum Decision {
        case now(Result<Machine.Lease, any Error>)
        case later
    }

    private func wait(
        on time: any TimeSource, _ ask: @Sendable (inout Machine, UInt64, Duration) -> Machine.Decision
    ) async throws -> Machine.Lease? {
        let waiter = state.withLock { state in
            state.lastWaiter &+= 1
            return state.lastWaiter
        }
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { enter($0, waiter, time, ask) }
            } onCancel: {
                leave(waiter)
            }
        } catch is KeptRefusal {
            return nil
        } catch let failure as Machine.Failure {
            throw failure.error
        }
    }

    private func enter(
        _ continuation: CheckedContinuation<Machine.Lease, any Error>, _ waiter: UInt64, _ time: any TimeSource,
        _ ask: @Sendable (inout Machine, UInt64, Duration) -> Machine.Decision
    ) {
        measureSignIn(on: time)
        let now = time.now
        let (decision, refresh) = state.withLock { state -> (Decision, Machine.Refresh?) in
            switch ask(&state.machine, waiter, now) {
            case .use(let lease, let refresh): return (.now(.success(lease)), refresh)
            case .fail(let failure): return (.now(.failure(failure)), nil)
            case .keepRefusal: return (.now(.failure(KeptRefusal())), nil)
            case .wait(let refresh):
                state.continuations[waiter] = continuation
                return (.later, refresh)
            }
        }
        if let refresh { begin(refresh, on: time) }
        if case .now(let result) = decision { continuation.resume(with: result) }
        // If the task was cancelled before the continuation was stored, the cancellation handler did not find it.
        if Task.isCancelled { leave(waiter) }
    }

    /// Sets the lifetime of a token that a sign-in stored, starting now.
    private func measureSignIn(on time: any TimeSource) {
        guard let token = state.withLock({ $0.machine.unmeasured }) else { return }
        let (now, lifetime) = (time.now, lifetime(of: token, on: time))
        state.withLock { state in
            // Another sign-in may have replaced the token.
            if state.machine.unmeasured == token { state.machine.measure(lifetime: lifetime, now: now) }
        }
    }

    private func leave(_ waiter: UInt64) {
        let continuation = state.withLock { state in
            _ = state.machine.cancel(waiter)
            return state.continuations.removeValue(forKey: waiter)
        }
        continuation?.resume(throwing: CancellationError())
    }

    /// Resumes the waiting requests.
    func resume(_ resumed: Machine.Resumed?) {
        guard let resumed else { return }
        let continuations = state.withLock { state in
            resumed.waiters.compactMap { state.continuations.removeValue(forKey: $0) }
        }
        for continuation in continuations { continuation.resume(with: resumed.result.mapError { $0 }) }
    }
}

/// A new token would not help, because the API would refuse it as well. ``OAuthAuthorizer`` returns `nil` for it.
private struct KeptRefusal: Error {}
