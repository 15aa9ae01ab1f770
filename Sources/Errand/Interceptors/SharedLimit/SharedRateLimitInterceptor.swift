import ErrandSupport

/// Delays requests to obey a rate limit that several processes share, for example the limit of one API account.
///
/// Each request reserves the next free time in a ``LimitStore`` and waits for it. It does not poll the store.
///
/// A pause that the server demands of one process (`Retry-After`, or an empty quota in `RateLimit` or
/// `X-RateLimit-Remaining`) applies to all processes. It also delays requests that are already waiting if their wait is at
/// least 100 ms: after the wait, the interceptor checks whether the pause has moved the reservation.
///
/// Requests wait if their deadline and ``SharedRateLimitInterceptor/Policy/maximumWait`` allow it. Otherwise they fail
/// immediately with ``ServiceError/Code/rateLimited``. The reserved time of a request that is cancelled during its wait is
/// lost, and so is that of a call to the store that takes too long.
///
/// If the store fails, ``SharedRateLimitInterceptor/Policy/failureMode`` applies. The trail of a call lists its waits and the
/// failure of the store.
///
/// Add this interceptor inside ``RetryInterceptor``, so that each attempt counts. A ``RateLimitInterceptor`` inside it can
/// limit the concurrent requests of this process. All requests of a session must share one clock.
public final class SharedRateLimitInterceptor: Interceptor {
    /// The shortest wait after which a reservation may have moved.
    private static let shortWait: Duration = .milliseconds(100)
    /// The maximum number of waits of one request. Each pause of the server can add one.
    private static let maximumWaits = 8

    private let policy: Policy
    private let limits: SharedLimits

    /// Creates the interceptor.
    /// - Parameters:
    ///   - policy: The rate of all processes together, and the failure mode.
    ///   - store: The store that the processes share.
    public init(_ policy: Policy, in store: some LimitStore) {
        self.policy = policy
        limits = SharedLimits(policy, store)
    }

    /// Sends a request as soon as the shared limit allows it.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/rateLimited``: with ``ServiceError/retryAfter`` if the wait is too
    ///   long, without it if the store fails and the mode is ``SharedRateLimitInterceptor/Policy/FailureMode/closed``. With
    ///   ``ServiceError/Code/timeout`` if the deadline passes during the wait. `CancellationError` if the task is cancelled.
    ///   Any error of the session.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let key = policy.name ?? key(of: request)
        try await enter(request, key)
        do {
            let response = try await next.send(request)
            await learn(response.head, request, key)
            return response
        } catch {
            if let head = (error as? ServiceError)?.response { await learn(head, request, key) }
            throw error
        }
    }
}

extension SharedRateLimitInterceptor {
    /// The name of the limit of an origin and an identity. It is a hash, because the identity may be personal data. Without a known
    /// account, all requests to the origin have one limit.
    private func key(of request: APIRequest) -> String {
        let identity = request.options.identity.flatMap { $0.isOfOneRequest ? nil : $0.name } ?? ""
        return SHA256.hash(Data("\(Origin(request.url).text) \(identity)".utf8)).prefix(16).hexadecimal
    }

    private func enter(_ request: APIRequest, _ key: String) async throws {
        switch try await limits.take(key, longestWait(of: request, after: .zero), request) {
        case .refused(let refusal): throw error(refusal, request)
        case .reserved(let reservation):
            if reservation.grant.wait > .zero { try await wait(for: reservation, key, request) }
        }
    }

    private func longestWait(of request: APIRequest, after waited: Duration) -> Duration {
        let rest = policy.maximumWait - waited
        return max(.zero, min(rest, request.options.timeLeft ?? rest))
    }

    private func wait(for reserved: SharedLimits.Reservation, _ key: String, _ request: APIRequest) async throws {
        let (time, start) = (request.options.time, request.options.time.now)
        var reservation = reserved
        do {
            for _ in 0..<Self.maximumWaits {
                let wait = reservation.grant.wait
                try await race(request.options.deadline) { try await time.sleep(until: time.now + wait) }
                guard wait >= Self.shortWait else { return noteWait(since: start, request) }
                let longest = longestWait(of: request, after: time.now - start)
                switch try await limits.update(reservation, of: key, longest, request) {
                case .refused(let refusal): throw error(refusal, request, after: time.now - start)
                case .reserved(let updated): reservation = updated
                }
                if reservation.grant.wait == .zero { return noteWait(since: start, request) }
                guard reservation.grant.wait <= longest else { break }
            }
            throw error(
                LimitRefusal(wait: reservation.grant.wait, isFromServer: true), request, after: time.now - start)
        } catch {
            if (error as? ServiceError)?.code != .rateLimited {
                note("gave up after \((time.now - start).milliseconds) ms: the shared limit is reached", request)
            }
            throw error
        }
    }

    private func noteWait(since start: Duration, _ request: APIRequest) {
        note("waited \((request.options.time.now - start).milliseconds) ms for the shared limit", request)
    }

    private func learn(_ head: ResponseHead, _ request: APIRequest, _ key: String) async {
        // After a redirect to another origin, the limits are those of the redirect target.
        guard policy.obeysServer, Origin(head.url) == Origin(request.url) else { return }
        let reading = RateLimitReading(
            status: head.status, headers: head.headers, date: request.options.time.date, policy: policy.reading)
        guard let observation = LimitObservation(reading, pause: policy.pause) else { return }
        await limits.observe(key, observation, request)
    }

    private func error(_ refusal: LimitRefusal, _ request: APIRequest, after waited: Duration? = nil) -> ServiceError {
        let wait = refusal.wait.milliseconds
        let before = waited.map { " after \($0.milliseconds) ms" } ?? ""
        let reason = refusal.isFromServer ? "the server's limit is reached" : "the shared rate is reached"
        note("refused\(before): a wait of \(wait) ms would be too long: \(reason)", request)
        var error = ServiceError(
            .rateLimited,
            "request not sent\(before): \(reason), and the wait of \(wait) ms exceeds the deadline or maximumWait")
        error.retryAfter = refusal.wait
        return error
    }

    private func note(_ text: String, _ request: APIRequest) {
        request.options.trail?.note(text, from: .rateLimit)
    }
}

extension LimitObservation {
    /// Returns the limits of a response, or `nil` if it reports none.
    init?(_ reading: RateLimitReading, pause: Duration) {
        guard !reading.isEmpty else { return nil }
        // A quota with a reset time in the past reports nothing.
        let valid = reading.quotas.filter { $0.reset > .zero }
        let least = valid.min { ($0.remaining, .zero - $0.reset) < ($1.remaining, .zero - $1.reset) }
        quota = least.map { Quota(remaining: $0.remaining, reset: $0.reset) }
        self.pause = reading.pause
        if reading.isRefusal, self.pause == nil, quota?.remaining != 0 { self.pause = pause }
        if quota == nil, self.pause == nil { return nil }
    }
}
