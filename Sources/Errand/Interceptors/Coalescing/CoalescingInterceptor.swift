import ErrandSupport

/// Sends only one of several equal concurrent requests, and returns a copy of the response to each caller.
///
/// Requests are equal if they have the same method (safe methods only), URL, headers except the ignored ones, body,
/// size limit, identity, redirect policy and cache policy. Streamed responses are not shared. A request that sets a
/// custom ``RequestOptionKey`` shares a response only if ``RequestOptionKey/sharedValue(_:)`` returns a value. Each
/// caller keeps its own deadline and its own cancellation. If the first caller is cancelled, the other callers are not
/// affected. The transfer is cancelled when its last caller is cancelled. The shared request has the highest priority
/// of its callers. Responses and errors are not stored after they have been returned to the waiting callers.
///
/// A request with credentials requires an ``RequestOptions/identity``, which an outer ``IdentityInterceptor`` sets.
/// Credentials that an inner interceptor adds are not visible here. In that case, use `IdentityInterceptor(of:)`, as
/// `StandardSession.standard(…)` does, or use a separate interceptor for each account.
public final class CoalescingInterceptor: Interceptor {
    private typealias Machine = CoalescingMachine<CoalescingKey, Int>
    private struct Waiter {
        let continuation: CheckedContinuation<Shared, any Error>
        let transfer: Machine.Transfer
    }

    /// The response that the callers share.
    private struct Shared: Sendable {
        /// The ticket of the caller that started the transfer.
        let leader: Int
        /// The response with its complete body.
        let response: APIResponse
        /// The attempts that inner interceptors recorded. Set only if other callers share the response.
        var attempts: [Trail.Event] = []
    }

    /// A running transfer.
    private struct ActiveTransfer {
        let demand: SharedDemand
        var task: Task<Void, Never>?
    }

    private struct State {
        var machine = Machine()
        var waiters: [Int: Waiter] = [:]
        var transfers: [Machine.Transfer: ActiveTransfer] = [:]
        private var lastTicket = 0

        mutating func makeTicket() -> Int {
            lastTicket += 1
            return lastTicket
        }
    }

    private let ignored: Set<String>
    private let state = Locked(State())

    /// Creates the interceptor.
    /// - Parameter ignored: The names of headers that may differ between equal requests, compared case-insensitively.
    ///   By default, these are headers with trace identifiers.
    public init(ignoring ignored: Set<String> = ["traceparent", "tracestate", "x-request-id", "x-correlation-id"]) {
        self.ignored = Set(ignored.map { $0.lowercased() })
    }

    /// The number of callers that wait for a response.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// Joins a running request, or sends the request.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` if the request has credentials and no
    ///   identity. The error of the session.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        guard let key = try CoalescingKey(request, ignoring: ignored) else { return try await next.send(request) }
        let shared: Shared
        if let deadline = request.options.deadline {
            shared = try await race(deadline) { try await self.share(request, key, next) }
        } else {
            // Without a deadline, the race is skipped, because it copies the data of its operation for another task.
            shared = try await share(request, key, next)
        }
        return shared.response
    }
}

extension CoalescingInterceptor {
    private func share(_ request: APIRequest, _ key: CoalescingKey, _ next: any APISession) async throws -> Shared {
        try Task.checkCancellation()
        let ticket = state.withLock { $0.makeTicket() }
        let shared = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join($0, ticket, request, key, next) }
        } onCancel: {
            leave(ticket)
        }
        guard shared.leader != ticket else { return shared }
        request.options.trail?.note("shared the response of a running request", from: .coalescing)
        for event in shared.attempts { request.options.trail?.copy(event) }
        return shared
    }

    /// Joins and registers the waiter in one step. Otherwise a transfer that ends in between would not resume the
    /// waiter.
    private func join(
        _ continuation: CheckedContinuation<Shared, any Error>, _ ticket: Int, _ request: APIRequest,
        _ key: CoalescingKey, _ next: any APISession
    ) {
        let (joining, demand) = state.withLock { state in
            let joining = state.machine.join(key, ticket)
            if case .lead(let transfer) = joining {
                state.transfers[transfer] = ActiveTransfer(demand: SharedDemand(request.options))
            }
            state.waiters[ticket] = Waiter(continuation: continuation, transfer: joining.transfer)
            return (joining, state.transfers[joining.transfer]?.demand)
        }
        switch joining {
        case .lead(let transfer): start(transfer, ticket, request, demand, next)
        case .follow: demand?.add(request.options)
        }
        // If the task was cancelled before the waiter was registered, it is resumed now.
        if Task.isCancelled { leave(ticket) }
    }
}

extension CoalescingInterceptor {
    /// Sends the shared request.
    ///
    /// The task is unstructured because it belongs to all waiting callers: a cancellation of the first one must not
    /// end it. It is cancelled with the last one.
    private func start(
        _ transfer: Machine.Transfer, _ leader: Int, _ request: APIRequest, _ demand: SharedDemand?,
        _ next: any APISession
    ) {
        var request = request
        // Each caller applies its own deadline while it waits.
        request.options.deadline = nil
        request.options.sharedDemand = demand
        let sent = request
        let task = Task.beginningHere { self.finish(transfer, await Self.outcome(of: sent, leader, next), sent) }
        let isWanted = state.withLock { state in
            // The transfer may have ended already, or all callers may have been cancelled.
            guard state.machine.count(of: transfer) > 0 else {
                state.transfers[transfer] = nil
                return false
            }
            state.transfers[transfer]?.task = task
            return true
        }
        if !isWanted { task.cancel() }
    }

    private static func outcome(
        of request: APIRequest, _ leader: Int, _ next: any APISession
    ) async -> Result<Shared, any Error> {
        do {
            var response = try await next.send(request)
            let limit = request.options.delivery.limit
            if response.body.data.map({ $0.count > limit }) ?? true {
                response.body = ResponseBody(try await response.body.collect(upTo: limit))
            }
            return .success(Shared(leader: leader, response: response))
        } catch {
            return .failure(error)
        }
    }

    private func finish(_ transfer: Machine.Transfer, _ outcome: Result<Shared, any Error>, _ request: APIRequest) {
        let waiters = state.withLock { state in
            state.transfers[transfer] = nil
            return state.machine.finish(transfer).compactMap { ticket in
                state.waiters.removeValue(forKey: ticket).map { (ticket, $0) }
            }
        }
        var outcome = outcome
        if case .success(var shared) = outcome, waiters.contains(where: { $0.0 != shared.leader }) {
            shared.attempts = request.options.trail?.trail.events.filter { $0.attempt != nil } ?? []
            outcome = .success(shared)
        }
        for (_, waiter) in waiters { waiter.continuation.resume(with: outcome) }
    }

    private func leave(_ ticket: Int) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.waiters.removeValue(forKey: ticket) else { return (nil, nil) }
            guard state.machine.leave(waiter.transfer, ticket) else { return (waiter, nil) }
            return (waiter, state.transfers.removeValue(forKey: waiter.transfer)?.task)
        }
        waiter?.continuation.resume(throwing: CancellationError())
        task?.cancel()
    }
}
