/// Sends requests that are the same at the same time once, and gives each caller a copy of the answer.
///
/// The same are: method (safe ones only), address, header fields but those ignored, body, cap, and whose credentials they
/// carry. Streamed answers are not shared. Each caller keeps its own deadline and its own cancellation: the first one's
/// never fails the others, and the transfer is cancelled with the last one. The shared request is as urgent as the most
/// urgent of them. Nothing is kept of an answer, or of an error, beyond those who waited for it.
///
/// A request with credentials needs ``RequestOptions/credentials``, which ``IdentityLayer`` further out sets.
public final class CoalescingLayer: Interceptor {
    private typealias Machine = CoalescingMachine<CoalescingKey, Int>
    private typealias Waiter = CheckedContinuation<Shared, any Error>

    /// What everybody gets.
    private struct Shared: Sendable {
        let head: ResponseHead
        let body: Data
        let metrics: TransportMetrics?
        let attempts: [Trail.Event]
    }

    private struct State {
        var machine = Machine()
        var waiters: [Int: Waiter] = [:]
        var tasks: [Machine.Transfer: Task<Void, Never>] = [:]
        var urgencies: [Machine.Transfer: Urgency] = [:]
        var lastTicket = 0
    }

    private let ignored: Set<String>
    private let state = Locked(State())

    /// Makes the layer.
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
        let shared = try await race(request.options.deadline) { try await self.share(request, key, next) }
        return APIResponse(head: shared.head, body: ResponseBody(shared.body), metrics: shared.metrics)
    }
}

extension CoalescingLayer {
    private func share(_ request: APIRequest, _ key: CoalescingKey, _ next: any APISession) async throws -> Shared {
        try Task.checkCancellation()
        let (ticket, joining) = state.withLock { state in
            state.lastTicket += 1
            return (state.lastTicket, state.machine.join(key, state.lastTicket))
        }
        switch joining {
        case .lead(let transfer):
            return try await wait(ticket, transfer) { self.start(transfer, request, next) }
        case .follow(let transfer):
            state.withLock { $0.urgencies[transfer] }?.raise(to: request.options.urgency)
            let shared = try await wait(ticket, transfer) {}
            request.options.trail?.note("shared the answer to a request that was under way", from: .coalescing)
            for event in shared.attempts { request.options.trail?.copy(event) }
            return shared
        }
    }

    /// Waits for a transfer's end; leaves when cancelled.
    private func wait(
        _ ticket: Int, _ transfer: Machine.Transfer, _ begin: @Sendable () -> Void
    ) async throws -> Shared {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                state.withLock { $0.waiters[ticket] = waiter }
                begin()
                // Who was cancelled before there was anything to resume has to be told now.
                if Task.isCancelled { leave(ticket, transfer) }
            }
        } onCancel: {
            leave(ticket, transfer)
        }
    }
}

extension CoalescingLayer {
    /// Sends the request that is shared.
    ///
    /// Unstructured, as it belongs to everybody who waits: the first one's cancellation must not end it. It is cancelled
    /// with the last one.
    private func start(_ transfer: Machine.Transfer, _ request: APIRequest, _ next: any APISession) {
        var request = request
        // Each of them keeps its own deadline while it waits.
        request.options.deadline = nil
        let urgency = Urgency(request.options.urgency)
        request.options.sharedUrgency = urgency
        let sent = request
        let task = Task { self.finish(transfer, await Self.outcome(of: sent, next)) }
        let isWanted = state.withLock { state in
            guard state.machine.count(of: transfer) > 0 else { return false }
            state.tasks[transfer] = task
            state.urgencies[transfer] = urgency
            return true
        }
        if !isWanted { task.cancel() }
    }

    private static func outcome(of request: APIRequest, _ next: any APISession) async -> Result<Shared, any Error> {
        do {
            let response = try await next.send(request)
            let body = try await response.body.collect(upTo: request.options.delivery.limit)
            let events = request.options.trail?.trail.events.filter { $0.attempt != nil } ?? []
            return .success(Shared(head: response.head, body: body, metrics: response.metrics, attempts: events))
        } catch {
            return .failure(error)
        }
    }

    private func finish(_ transfer: Machine.Transfer, _ outcome: Result<Shared, any Error>) {
        let waiters = state.withLock { state in
            state.tasks[transfer] = nil
            state.urgencies[transfer] = nil
            return state.machine.finish(transfer).compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in waiters { waiter.resume(with: outcome) }
    }

    private func leave(_ ticket: Int, _ transfer: Machine.Transfer) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.waiters.removeValue(forKey: ticket) else { return (nil, nil) }
            guard state.machine.leave(transfer, ticket) else { return (waiter, nil) }
            state.urgencies[transfer] = nil
            return (waiter, state.tasks.removeValue(forKey: transfer))
        }
        waiter?.resume(throwing: CancellationError())
        task?.cancel()
    }
}
