/// Keeps to the rate limits of hosts: those that the servers name, and those of your own.
///
/// A host that says that nothing is left (`RateLimit`, `RateLimit-Remaining`, `X-RateLimit-Remaining`), or answers 429, or
/// 503 with `Retry-After`, is left alone until the moment that it names. ``RateLimitInterceptor/Policy/refusalStatuses`` and
/// ``RateLimitInterceptor/Policy/pauseStatuses`` add other statuses, ``RateLimitInterceptor/Policy/github`` those of GitHub.
/// Requests wait until then if their deadline and ``RateLimitInterceptor/Policy/longestWait`` allow it. Otherwise they fail at
/// once with ``ServiceError/Code/rateLimited``. After the wait, requests are sent one by one until the first response states
/// the remaining quota.
///
/// Waiting is fair: the highest ``RequestOptions/priority`` goes first, among equals who came first, and no host holds
/// another up. A place among ``RateLimitInterceptor/Policy/concurrency`` is free again when the call ends, however it ends; in streamed
/// delivery at the head, as a reader may take as long as it likes. Whoever is cancelled leaves at once.
///
/// Its place is inside ``RetryInterceptor``, so that each attempt counts.
///
/// It waits on the clock of each request (``RequestOptions/time``). All requests of a session must share one clock: a
/// limit that one request learns holds for the others.
public final class RateLimitInterceptor: Interceptor {
    /// How many hosts are remembered to which no call is under way: a thousand.
    private static let mostHosts = 1_000

    private let policy: RateLimitInterceptor.Policy
    private let table: RateLimitTable

    /// Makes the interceptor.
    /// - Parameter policy: How fast, how many at once, and how long to wait.
    public convenience init(_ policy: RateLimitInterceptor.Policy = RateLimitInterceptor.Policy()) {
        self.init(policy, mostHosts: Self.mostHosts)
    }

    package init(_ policy: RateLimitInterceptor.Policy, mostHosts: Int) {
        self.policy = policy
        table = RateLimitTable(policy, limit: max(1, mostHosts))
    }

    /// How many hosts are remembered.
    package var hosts: Int { table.hosts }

    /// How many calls wait for a host.
    package func waiting(for url: URL?) -> Int { table.waiting(for: url) }

    /// Sends a request once its host takes it.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/rateLimited`` and ``ServiceError/retryAfter``, or with
    ///   ``ServiceError/Code/timeout`` where the deadline passes while it waits; `CancellationError`; what the session
    ///   throws.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let ticket = try await enter(request)
        do {
            let response = try await next.send(request)
            leave(ticket, request, response.head)
            return response
        } catch {
            leave(ticket, request, (error as? ServiceError)?.response)
            throw error
        }
    }
}

extension RateLimitInterceptor {
    /// Waits for the host; nil where nothing is known of it.
    private func enter(_ request: APIRequest) async throws -> RateLimitTable.Ticket? {
        switch table.enter(request) {
        case .free: return nil
        case .go(let ticket): return ticket
        case .refuse(let refusal): throw error(refusal, request, after: nil)
        case .wait(let ticket, let decisions, let reason):
            try await wait(for: ticket, decisions, reason, request)
            return ticket
        }
    }

    private func wait(
        for ticket: RateLimitTable.Ticket, _ decisions: AsyncStream<RateLimitQueue.Decision>,
        _ reason: RateLimitMachine.Reason, _ request: APIRequest
    ) async throws {
        let (time, start) = (request.options.time, ticket.start)
        // Somebody more urgent, or more patient, may come to share the request while it waits.
        if let demand = request.options.sharedDemand {
            demand.watch { [table, weak demand] in demand.map { table.raise(ticket, with: $0) } }
        }
        defer { request.options.sharedDemand?.watch(nil) }
        do {
            let decision = try await race(request.options.deadline) {
                for await decision in decisions { return decision }
                throw CancellationError()
            }
            if case .refuse(let refusal) = decision { throw error(refusal, request, after: time.now - start) }
            try Task.checkCancellation()
            note("waited \((time.now - start).milliseconds) ms: \(reason)", request)
        } catch {
            // It may have been let through at the moment at which it gave up.
            table.abandon(ticket)
            if (error as? ServiceError)?.code != .rateLimited {
                note("gave up after \((time.now - start).milliseconds) ms: \(reason)", request)
            }
            throw error
        }
    }

    private func leave(_ ticket: RateLimitTable.Ticket?, _ request: APIRequest, _ head: ResponseHead?) {
        var reading: RateLimitReading?
        if let head, policy.obeysServer {
            reading = RateLimitReading(
                status: head.status, fields: head.fields, date: request.options.time.date, policy: policy)
        } else if head != nil {
            reading = .nothing
        }
        if let head, let told = reading, !told.isEmpty, Origin(head.url) != Origin(request.url) {
            // A redirect was followed: what its target says is no word of the host that was asked.
            table.learn(head.url, told, on: request.options.time)
            reading = .nothing
        }
        if let ticket {
            table.leave(ticket, reading)
        } else if let reading, !reading.isEmpty {
            table.learn(request.url, reading, on: request.options.time)
        }
    }

    private func error(
        _ refusal: RateLimitMachine.Refusal, _ request: APIRequest, after waited: Duration?
    ) -> ServiceError {
        let wait = refusal.wait.milliseconds
        let before = waited.map { "after \($0.milliseconds) ms of waiting, " } ?? ""
        note("refused: \(before)another \(wait) ms would be too long: \(refusal.reason)", request)
        var error = ServiceError(
            .rateLimited, "not sent, as the wait of \(wait) ms would be too long: \(refusal.reason)")
        error.retryAfter = refusal.wait
        return error
    }

    private func note(_ text: String, _ request: APIRequest) {
        request.options.trail?.note(text, from: .rateLimit)
    }
}

extension RateLimitMachine.Reason: CustomStringConvertible {
    /// One clause that is safe to print.
    package var description: String {
        switch self {
        case .server: "the server's limit is reached"
        case .rate: "the policy's rate is reached"
        case .concurrency: "the policy's number of concurrent requests is reached"
        case .probe: "the first request after a limit has no response yet"
        case .queue: "other requests came first"
        }
    }
}
