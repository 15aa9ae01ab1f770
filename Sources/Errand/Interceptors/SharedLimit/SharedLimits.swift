import ErrandSupport

/// Calls the shared store, and applies the failure mode while the store fails.
final class SharedLimits: Sendable {
    /// A reservation, and the store that made it.
    struct Reservation: Sendable {
        var grant: LimitGrant
        let isOwn: Bool
    }

    enum Outcome: Sendable {
        case reserved(Reservation)
        case refused(LimitRefusal)
    }

    /// A failure of the store, which is not called again until a time.
    private struct Outage: Sendable {
        let until: Duration
        let reason: String
    }

    /// The limits with a pause that the store does not know, because it failed. At most 1,000.
    private struct UnsentPauses: Sendable {
        /// The number of the last pause of each limit.
        private(set) var numbers: [String: Int] = [:]
        private var last = 0

        mutating func add(_ key: String) {
            guard numbers[key] != nil || numbers.count < 1_000 else { return }
            last += 1
            numbers[key] = last
        }

        /// Removes a pause, unless a later one has replaced it.
        mutating func remove(_ key: String, _ number: Int) {
            if numbers[key] == number { numbers[key] = nil }
        }
    }

    private let policy: SharedRateLimitInterceptor.Policy
    private let store: any LimitStore
    private let outage = Locked<Outage?>(nil)
    private let unsent = Locked(UnsentPauses())
    /// The limits of this process, by the clock of its requests. They learn from each response.
    private let own = Locked<MemoryLimitStore?>(nil)

    init(_ policy: SharedRateLimitInterceptor.Policy, _ store: any LimitStore) {
        (self.policy, self.store) = (policy, store)
    }

    /// Reserves a time, in the store or, if it fails, by the failure mode.
    func take(_ key: String, _ maximumWait: Duration, _ request: APIRequest) async throws -> Outcome {
        let demand = LimitDemand(policy.rate, maximumWait: maximumWait)
        try await sendPause(of: key, request)
        if let decision = try await ask(request, { try await $0.take(key, demand) }) {
            return outcome(decision, isOwn: false)
        }
        guard policy.failureMode != .closed else {
            let reason = outage.withLock { $0?.reason } ?? "it did not respond"
            throw ServiceError(.rateLimited, "request not sent: the store of the shared limit failed (\(reason))")
        }
        return outcome(ownStore(request).take(key, ownDemand(maximumWait)), isOwn: true)
    }

    /// Returns a reservation with the rest of its wait. If the store fails during a pause, makes a new reservation.
    func update(
        _ reservation: Reservation, of key: String, _ maximumWait: Duration, _ request: APIRequest
    ) async throws -> Outcome {
        var updated = reservation
        if reservation.isOwn {
            updated.grant = ownStore(request).update(reservation.grant, of: key)
        } else if let grant = try await ask(request, { try await $0.update(reservation.grant, of: key) }) {
            updated.grant = grant
        } else if ownPause(key, request) > .zero {
            // The others that are waiting for this pause must not be sent at the same moment.
            return outcome(ownStore(request).take(key, ownDemand(maximumWait)), isOwn: true)
        } else {
            updated.grant.wait = .zero
        }
        return .reserved(updated)
    }

    /// Adds the limits of a response to the limits of this process and to the store. Waits for the store at most for a tenth
    /// of its timeout, because the response has already arrived.
    func observe(_ key: String, _ observation: LimitObservation, _ request: APIRequest) async {
        ownStore(request).observe(key, observation)
        let (ends, end) = AsyncStream<Never>.makeStream()
        // The task is unstructured because a caller that is cancelled now must not lose the pause for all processes. The
        // timeout of the store limits it.
        Task {
            let isStored =
                (try? await ask(request, within: policy.storeTimeout) { try await $0.observe(key, observation) }) != nil
            if !isStored { unsent.withLock { $0.add(key) } }
            end.finish()
        }
        try? await race(.after(policy.shortStoreTimeout)) { for await _ in ends {} }
    }
}

extension SharedLimits {
    private func ownDemand(_ maximumWait: Duration) -> LimitDemand {
        // Without a limit, only the pauses and quotas of the server apply.
        let rate =
            policy.failureMode == .open ? RateLimitInterceptor.Policy.Rate(1_000_000, burst: 1_000_000) : policy.share
        return LimitDemand(rate, maximumWait: maximumWait)
    }

    private func outcome(_ decision: LimitDecision, isOwn: Bool) -> Outcome {
        switch decision {
        case .granted(let grant): .reserved(Reservation(grant: grant, isOwn: isOwn))
        case .refused(let refusal): .refused(refusal)
        }
    }

    /// Adds a pause to the store that this process has received while the store failed.
    private func sendPause(of key: String, _ request: APIRequest) async throws {
        guard let number = unsent.withLock({ $0.numbers[key] }) else { return }
        let pause = ownPause(key, request)
        let isSent: Void? =
            pause > .zero
            ? try await ask(request) { try await $0.observe(key, LimitObservation(pause: pause)) } : ()
        if isSent != nil { unsent.withLock { $0.remove(key, number) } }
    }

    private func ownPause(_ key: String, _ request: APIRequest) -> Duration {
        max(.zero, ownStore(request).pausedUntil(key) - request.options.time.now)
    }

    /// The limits of this process, on the clock of its first request.
    private func ownStore(_ request: APIRequest) -> MemoryLimitStore {
        if let store = own.withLock({ $0 }) { return store }
        let time = request.options.time
        func make(_ time: some TimeSource) -> MemoryLimitStore { MemoryLimitStore(time: time) }
        let made = make(time)
        return own.withLock { store in
            if let store { return store }
            store = made
            return made
        }
    }

    /// Calls the store with the timeout of the policy, in real time, because the store does not use the clock of the request.
    /// Returns `nil` if the call fails, or during the pause after a failed call. With `limit`, the call may outlive the request.
    /// - Throws: `CancellationError` if the task is cancelled.
    private func ask<Value: Sendable>(
        _ request: APIRequest, within limit: Duration? = nil,
        _ call: @escaping @Sendable (any LimitStore) async throws -> Value
    ) async throws -> Value? {
        let time = request.options.time
        if let outage = outage.withLock({ $0 }), time.now < outage.until {
            note(outage.reason, request)
            return nil
        }
        let deadline = request.options.deadline.flatMap { $0.time is SystemTime ? $0 : nil }
        let timeout = limit ?? policy.storeTimeout(before: deadline)
        do {
            let value = try await race(.after(timeout)) { [store] in try await call(store) }
            outage.withLock { $0 = nil }
            return value
        } catch {
            try Task.checkCancellation()
            let failure = ServiceError(wrapping: error, as: .rateLimited, "unexpected error")
            let isLate = failure.code == .timeout
            let reason = isLate ? "no response within \(timeout.milliseconds) ms" : failure.reason
            // A call that had hardly any time does not show that the store has failed.
            if !isLate || timeout >= policy.shortStoreTimeout {
                outage.withLock { $0 = Outage(until: time.now + policy.storePause, reason: reason) }
            }
            note(reason, request)
            return nil
        }
    }

    private func note(_ reason: String, _ request: APIRequest) {
        let mode =
            switch policy.failureMode {
            case .local: "the share of this process applies"
            case .open: "only the limits of the server apply"
            case .closed: "requests fail"
            }
        request.options.trail?.note("the store of the shared limit failed (\(reason)): \(mode)", from: .rateLimit)
    }
}
