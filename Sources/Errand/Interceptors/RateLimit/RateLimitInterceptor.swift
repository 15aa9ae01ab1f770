/// Delays requests to obey the rate limits of servers and the limits of its policy, for each origin (scheme, host
/// and port).
///
/// If a response reports an empty quota (`RateLimit`, `RateLimit-Remaining`, `X-RateLimit-Remaining`), or has status
/// 429, or 503 with `Retry-After`, requests to the origin are not sent until the time that the response names.
/// ``RateLimitInterceptor/Policy/refusalStatuses`` and ``RateLimitInterceptor/Policy/pauseStatuses`` add other
/// statuses, and ``RateLimitInterceptor/Policy/github`` is the policy for GitHub. Requests wait if their deadline and
/// ``RateLimitInterceptor/Policy/maximumWait`` allow it. Otherwise they fail immediately with
/// ``ServiceError/Code/rateLimited``. After the wait, requests are sent one by one until the first response reports
/// the remaining quota.
///
/// Waiting requests are sent in order of ``RequestOptions/priority``, and in order of arrival if their priority is
/// equal. Each origin has its own queue. A request counts toward ``RateLimitInterceptor/Policy/concurrency`` until it
/// succeeds, fails or is cancelled. In streamed delivery, it counts until its header section has arrived, because
/// reading the body can take any time. A cancelled request leaves the queue immediately.
///
/// Add this interceptor inside ``RetryInterceptor``, so that each attempt counts.
///
/// It waits on the clock of each request (``RequestOptions/time``). All requests of a session must share one clock,
/// because a limit that one response reports applies to the other requests.
public final class RateLimitInterceptor: Interceptor {
    /// The maximum number of origins without running or waiting requests that are stored.
    private static let maximumHosts = 1_000

    private let policy: RateLimitInterceptor.Policy
    private let table: RateLimitTable

    /// Creates the interceptor.
    /// - Parameter policy: The limits and the maximum wait.
    public convenience init(_ policy: RateLimitInterceptor.Policy = RateLimitInterceptor.Policy()) {
        self.init(policy, maximumHosts: Self.maximumHosts)
    }

    package init(_ policy: RateLimitInterceptor.Policy, maximumHosts: Int) {
        self.policy = policy
        table = RateLimitTable(policy, limit: max(1, maximumHosts))
    }

    /// The number of stored origins.
    package var hosts: Int { table.hosts }

    /// The number of waiting requests for the origin of a URL.
    package func waiting(for url: URL?) -> Int { table.waiting(for: url) }

    /// Sends a request as soon as the limits of its origin allow it.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/rateLimited`` and ``ServiceError/retryAfter``, or with
    ///   ``ServiceError/Code/timeout`` if the deadline passes during the wait. `CancellationError`. The error of the
    ///   session.
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
    /// Waits until the request can be sent. Returns `nil` if the origin has no limits.
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
        // A caller with a higher priority or a later deadline can join the request while it waits.
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
            // The request may have been admitted at the same time.
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
                status: head.status, headers: head.headers, date: request.options.time.date, policy: policy)
        } else if head != nil {
            reading = .nothing
        }
        if let head, let told = reading, !told.isEmpty, Origin(head.url) != Origin(request.url) {
            // After a redirect to another origin, the limits are those of the redirect target.
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
        let before = waited.map { " after \($0.milliseconds) ms" } ?? ""
        note("refused\(before): a wait of \(wait) ms would be too long: \(refusal.reason)", request)
        var error = ServiceError(
            .rateLimited,
            "request not sent: \(refusal.reason), and the wait of \(wait) ms exceeds the deadline or maximumWait")
        error.retryAfter = refusal.wait
        return error
    }

    private func note(_ text: String, _ request: APIRequest) {
        request.options.trail?.note(text, from: .rateLimit)
    }
}

extension RateLimitMachine.Reason: CustomStringConvertible {
    /// A clause without secrets.
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
