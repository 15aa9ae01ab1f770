import ErrandSupport

/// Sends a request with an `Idempotency-Key` once, although several tasks or processes try to send it.
///
/// The first one sends the request, and its response is recorded in an ``IdempotencyLedger``. The others wait for it, and get the
/// recorded response without a request. So does a process that repeats a job later. Requests with a safe method or without a key
/// are sent as usual.
///
/// Responses with status 2xx and 3xx are recorded. After other responses and after errors, the key can be used again. The server
/// must then recognize a key that it knows, because the outcome of the first attempt can be unknown.
///
/// A key belongs to an origin and to a ``RequestOptions/identity``. Add this interceptor outside ``RetryInterceptor`` and inside
/// ``IdentityInterceptor``. Streamed responses are collected before they are returned.
public final class IdempotencyInterceptor: Interceptor {
    /// The behavior while the ledger cannot be used.
    public enum FailureMode: Sendable, Hashable {
        /// Requests with a key fail with the error of the ledger.
        case closed
        /// Requests are sent. A request can then be sent twice, with the same key.
        case open
    }

    /// The time for which a key stays reserved after its process was killed: 10 seconds.
    public static let lease: Duration = .seconds(10)
    /// The maximum size in bytes of a body that is recorded: 1 MB.
    public static let bodyLimit: Int = 1 << 20
    private static let pauses: ClosedRange<Duration> = .milliseconds(5) ... .milliseconds(320)
    private static let finishAttempts = 3
    private static let finishPause: Duration = .milliseconds(500)

    private let ledger: any IdempotencyLedger
    private let failureMode: FailureMode
    private let maximumWait: Duration

    /// Creates the interceptor.
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - failureMode: The behavior while the ledger cannot be used. The default is ``FailureMode/closed``.
    ///   - maximumWait: The maximum time to wait for the same request of another task or process. The default is 60 seconds.
    public init(
        _ ledger: some IdempotencyLedger, failureMode: FailureMode = .closed, maximumWait: Duration = .seconds(60)
    ) {
        (self.ledger, self.failureMode, self.maximumWait) = (ledger, failureMode, max(.zero, maximumWait))
    }

    /// Sends the request, or returns a recorded response.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` if the key was used for another request, or if the
    ///   authorizer of the request has no identity. With
    ///   ``ServiceError/Code/timeout`` if another task or process sends the same request for too long. The error of the ledger,
    ///   unless the failure mode is ``FailureMode/open``. `CancellationError`. Any error of the session.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        guard !request.method.isSafe, let key = request.value(ofField: RequestOptions.Idempotency.field), !key.isEmpty
        else { return try await next.send(request) }
        guard request.options.identity?.isOfOneRequest != true else {
            throw ServiceError(.configuration, "expected an identity of the account, found an authorizer without one")
        }
        let use = KeyUse(request, key)
        do {
            if let record = try await begin(use, request) { return response(record, request) }
        } catch {
            // The ledger may have reserved the key, also if this task was cancelled.
            Task { await abandon(use) }
            guard let failure = error as? LedgerFailure else { throw error }
            guard failureMode == .open, !Task.isCancelled else { throw failure.error }
            note("sent without the ledger, which failed (\(failure.error))", request)
            return try await next.send(request)
        }
        return try await send(request, next, use)
    }
}

extension IdempotencyInterceptor {
    /// The use of a key by one request.
    private struct KeyUse: Sendable {
        /// A hash of the origin, the identity and the key.
        let name: String
        let digest: String
        let owner = SystemRandom().uuid()

        init(_ request: APIRequest, _ key: String) {
            let identity = request.options.identity?.name ?? ""
            name = Self.hash("\(Origin(request.url).text)\u{0}\(identity)\u{0}\(key)")
            let body = request.body.data.map { SHA256.hash($0).hexadecimal } ?? "stream"
            digest = Self.hash("\(request.method.rawValue)\u{0}\(request.url?.absoluteString ?? "")\u{0}\(body)")
        }

        private static func hash(_ text: String) -> String { SHA256.hash(Data(text.utf8)).hexadecimal }
    }

    /// An error of the ledger, and not of the request.
    private struct LedgerFailure: Error {
        let error: any Error
    }

    private func call<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            try Task.checkCancellation()
            throw LedgerFailure(error: error)
        }
    }

    /// Waits until the key is reserved, or until it has a response.
    private func begin(_ use: KeyUse, _ request: APIRequest) async throws -> IdempotencyRecord? {
        let time = request.options.time
        let end = time.now + maximumWait
        var pause = Self.pauses.lowerBound
        while true {
            let decision = try await call {
                try await ledger.begin(use.name, request: use.digest, owner: use.owner, lease: Self.lease)
            }
            switch decision {
            case .reserved: return nil
            case .recorded(let record): return record
            case .otherRequest:
                throw ServiceError(
                    .configuration,
                    "expected an unused idempotency key, found one of another method, URL or body: use a new key")
            case .busy(let left):
                guard time.now < end else {
                    throw ServiceError(
                        .timeout,
                        "expected the response to the same idempotency key within \(maximumWait.milliseconds) ms, found "
                            + "its request in flight: increase maximumWait")
                }
                let wait = min(pause, max(left, .milliseconds(1)))
                try await race(request.options.deadline) { try await time.sleep(until: time.now + wait) }
                pause = min(pause * 2, Self.pauses.upperBound)
            }
        }
    }

    private func response(_ record: IdempotencyRecord, _ request: APIRequest) -> APIResponse {
        let age = max(0, request.options.time.date.timeIntervalSince(record.date))
        note("the response to the same key was used, \(Int64(min(age, 1e9))) s old", request)
        return APIResponse(head: record.head, body: ResponseBody(record.body))
    }

    private func send(_ request: APIRequest, _ next: any APISession, _ use: KeyUse) async throws -> APIResponse {
        do {
            let response = try await whileExtending(use, request) {
                let response = try await next.send(request)
                let body = try await response.body.collect(upTo: request.options.delivery.limit)
                return (response, body)
            }
            return try await record(response.0, response.1, request, use)
        } catch {
            await abandon(use)
            throw error
        }
    }

    private func record(
        _ response: APIResponse, _ body: Data, _ request: APIRequest, _ use: KeyUse
    ) async throws -> APIResponse {
        var result = response
        if response.body.data == nil {
            result.body = ResponseBody(body)
            result.body.codings = response.body.codings
        }
        guard (200..<400).contains(response.head.status) else {
            await abandon(use)
            return result
        }
        guard body.count <= Self.bodyLimit, response.body.codings.names.isEmpty else {
            note("not recorded: the body is larger than 1 MB, or has an unknown content coding", request)
            await abandon(use)
            return result
        }
        let record = IdempotencyRecord(head: response.head, body: body, date: request.options.time.date)
        do {
            try await finish(use, record, request)
        } catch {
            // The request has succeeded. Another process can send it again after the lease.
            note("not recorded: the ledger failed (\(error))", request)
        }
        return result
    }

    /// Records a response, with up to three attempts.
    ///
    /// The task is unstructured because a cancelled request must be recorded, too: it has succeeded.
    private func finish(_ use: KeyUse, _ record: IdempotencyRecord, _ request: APIRequest) async throws {
        let time = request.options.time
        try await Task { [ledger] in
            for _ in 1..<Self.finishAttempts {
                do {
                    return try await ledger.finish(use.name, owner: use.owner, with: record)
                } catch {
                    try await time.sleep(until: time.now + Self.finishPause)
                }
            }
            try await ledger.finish(use.name, owner: use.owner, with: record)
        }.value
    }

    /// The task is unstructured because the reservation must also end if this task is cancelled.
    private func abandon(_ use: KeyUse) async {
        await Task { [ledger] in try? await ledger.abandon(use.name, owner: use.owner) }.value
    }

    /// Runs a request, and extends the reservation of its key meanwhile.
    private func whileExtending<Result: Sendable>(
        _ use: KeyUse, _ request: APIRequest, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let time = request.options.time
            group.addTask { [ledger] in
                while (try? await time.sleep(until: time.now + Self.lease / 3)) != nil {
                    _ = try? await ledger.begin(use.name, request: use.digest, owner: use.owner, lease: Self.lease)
                }
            }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    private func note(_ text: String, _ request: APIRequest) {
        request.options.trail?.note(text, from: .idempotency)
    }
}
