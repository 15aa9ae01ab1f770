import ErrandSupport

/// Sends requests that are the same at the same time once, and gives each caller a copy of the answer.
///
/// The same are: method (safe ones only), address, header fields but those ignored, body, cap, and whose credentials they
/// carry, redirects and cache policy. Streamed responses are not shared. A request that sets a
/// custom ``RequestOptionKey`` shares a response only if ``RequestOptionKey/sharedValue(_:)`` returns a value.
/// Each caller keeps its own deadline and its own cancellation: the first one's never fails the others, and the transfer is
/// cancelled with the last one. The shared request is as urgent as the most urgent of them. Nothing is kept of an answer, or
/// of an error, beyond those who waited for it.
///
/// A request with credentials needs ``RequestOptions/identity``, which ``IdentityInterceptor`` further out sets. Credentials that
/// are added further in are not seen here: give it `IdentityInterceptor(of:)` then, as `StandardSession.standard(…)` does, or use a
/// separate interceptor for each account.
public final class CoalescingInterceptor: Interceptor {
    private typealias Machine = CoalescingMachine<CoalescingKey, Int>
    private struct Waiter {
        let continuation: CheckedContinuation<Shared, any Error>
        let transfer: Machine.Transfer
    }

    /// What everybody gets.
    private struct Shared: Sendable {
        /// Whose request it was.
        let leader: Int
        /// With its whole body.
        let response: APIResponse
        /// What the interceptors further in took down; known where there are others to tell.
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

    /// Makes the interceptor.
    /// - Parameter ignored: Header fields that may differ between requests that are the same, in any case: trace
    ///   identifiers by default.
    public init(ignoring ignored: Set<String> = ["traceparent", "tracestate", "x-request-id", "x-correlation-id"]) {
        self.ignored = Set(ignored.map { $0.lowercased() })
    }

    /// How many calls wait for an answer.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// Joins a request that is under way, or sends it.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` for credentials without an identity, and what
    ///   the session throws.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        guard let key = try CoalescingKey(request, ignoring: ignored) else { return try await next.send(request) }
        let shared: Shared
        if let deadline = request.options.deadline {
            shared = try await race(deadline) { try await self.share(request, key, next) }
        } else {
            // What runs in a race is copied to where another task finds it.
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
        request.options.trail?.note("shared the answer to a request that was under way", from: .coalescing)
        for event in shared.attempts { request.options.trail?.copy(event) }
        return shared
    }

    /// Joins and waits in one step: a transfer that ends in between would find nobody to resume.
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
        // Who was cancelled before there was anything to resume has to be told now.
        if Task.isCancelled { leave(ticket) }
    }
}

extension CoalescingInterceptor {
    /// Sends the request that is shared.
    ///
    /// Unstructured, as it belongs to everybody who waits: the first one's cancellation must not end it. It is cancelled
    /// with the last one.
    private func start(
        _ transfer: Machine.Transfer, _ leader: Int, _ request: APIRequest, _ demand: SharedDemand?,
        _ next: any APISession
    ) {
        var request = request
        // Each of them keeps its own deadline while it waits.
        request.options.deadline = nil
        request.options.sharedDemand = demand
        let sent = request
        let task = Task.beginningHere { self.finish(transfer, await Self.outcome(of: sent, leader, next), sent) }
        let isWanted = state.withLock { state in
            // It may have ended by now, and everybody may have left.
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
