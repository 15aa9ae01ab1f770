import Dispatch

/// Runs requests on a `URLSession` with what that class lacks: total and sub-second deadlines, a cap on bodies, prompt
/// cancellation, errors with a code, challenges answered so that a 401 is an answer like any other, and redirects
/// followed by the rules of ``RedirectInterceptor``.
final class URLSessionAdapter: APISession {
    /// Making and starting a task can block on Linux while the platform's one work queue is busy with somebody else's
    /// answer: it must keep neither a task of Swift's pool nor a cancellation waiting.
    private static let startQueue = DispatchQueue(label: "errand.transfer.start")

    /// The session that is this adapter's own; nil where each call brings a borrowed one.
    private let ownSession: URLSession?
    private let delegate = TransferDelegate()
    private let gate: HostGate?
    /// What is written onto each call's request, once: a redirect must be able to drop it.
    private let fields: HeaderFields
    /// What the session adds to each request by itself.
    private let sessionFields: HeaderFields
    private let idleTimeout: Duration
    private let time: any TimeSource
    /// Refuses what this process must not send, redirects included.
    private let check: @Sendable (APIRequest) throws -> Void

    /// Adapts a session of its own, made from a configuration under this library's rules.
    init(
        configuration: URLSessionConfiguration, time: some TimeSource = .system,
        check: @escaping @Sendable (APIRequest) throws -> Void = { _ in }
    ) {
        self.check = check
        ownSession = URLSession(configuration: configuration.hardened(), delegate: delegate, delegateQueue: nil)
        gate = HostGate(limit: configuration.connectionLimit)
        fields = configuration.additionalFields
        sessionFields = [:]
        idleTimeout = configuration.idleTimeout
        self.time = time
    }

    /// Adapts sessions that somebody else owns and that call a task's own delegate: it does not keep them alive.
    init(borrowing configuration: URLSessionConfiguration, time: some TimeSource = .system) {
        check = { _ in }
        ownSession = nil
        gate = nil
        fields = [:]
        sessionFields = configuration.additionalFields
        idleTimeout = configuration.idleTimeout
        self.time = time
    }

    // Nothing can be in flight here: each task keeps the adapter. Without this a session keeps its delegate for ever.
    deinit { ownSession?.finishTasksAndInvalidate() }

    /// Sends a request with the adapter's own session.
    func send(_ request: APIRequest) async throws -> APIResponse { try await send(request, on: nil) }

    /// Sends a request with the adapter's own session or, if there is none, with a borrowed session.
    func send(_ request: APIRequest, on borrowed: URLSession?) async throws -> APIResponse {
        guard let session = ownSession ?? borrowed else { throw ServiceError(.configuration, "there is no session") }
        var request = request
        try request.head.addMissing(fields)
        try request.checkSendable()
        return try await RedirectInterceptor(sessionFields: sessionFields, foldsDuplicates: true)
            .intercept(request, next: Hop(adapter: self, session: session))
    }

    /// The adapter without redirects.
    private struct Hop: APISession {
        let adapter: URLSessionAdapter
        let session: URLSession

        func send(_ request: APIRequest) async throws -> APIResponse {
            try await request.notingSecrets { try await adapter.exchange($0, on: session) }
        }
    }

    private func exchange(_ request: APIRequest, on session: URLSession) async throws -> APIResponse {
        try check(request)
        let request = try prepared(request)
        return try await race(request.options.deadline) {
            let upload = try await Upload(of: request)
            do {
                let response = try await self.exchange(Transfer(request: request, time: self.time), upload, on: session)
                try upload?.checkUnchanged()
                return response
            } catch {
                // A file that shrank leaves the platform waiting for the rest: that is the cause, not the silence.
                if !(error is CancellationError) { try upload?.checkUnchanged() }
                throw error
            }
        }
    }

    private func exchange(
        _ transfer: Transfer, _ upload: Upload?, on session: URLSession
    ) async throws -> APIResponse {
        try await withThrowingTaskGroup(of: APIResponse.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.run(transfer, upload, on: session) }
            group.addTask { throw try await transfer.silence() }
            guard let response = try await group.next() else { throw CancellationError() }
            return response
        }
    }

    private func run(_ transfer: Transfer, _ upload: Upload?, on session: URLSession) async throws -> APIResponse {
        let asked = time.now
        let permit = try await gate?.enter(Origin(transfer.request.head.url))
        // Where the system queues, nobody knows for how long.
        let queued = permit.map { _ in time.now - asked }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard transfer.begin(continuation, queued: queued) else { return }
                Self.startQueue.async { self.start(transfer, upload, permit, on: session) }
            }
        } onCancel: {
            transfer.end(.failure(CancellationError()))
        }
    }

    private func start(
        _ transfer: Transfer, _ upload: Upload?, _ permit: HostGate.Permit?, on session: URLSession
    ) {
        guard !transfer.hasEnded else { return }
        let task = makeTask(transfer.request.platformRequest, upload, on: session)
        task.priority = Float(transfer.request.options.priority.clampedToUnit)
        // A stream outlives its call, so the adapter and its session are kept, too.
        var kept: [any AnyObject & Sendable] = [self]
        if let permit { kept.append(permit) }
        if let spool = upload?.spool { kept.append(spool) }
        delegate.add(transfer, keeping: kept, for: task)
        Platform.attach(delegate, to: task, ownsSession: ownSession != nil)
        transfer.attach(task)
        task.resume()
    }

    private func makeTask(_ request: URLRequest, _ upload: Upload?, on session: URLSession) -> URLSessionTask {
        var request = request
        guard let upload else { return session.dataTask(with: request) }
        guard upload.file.size > 0 else {
            request.httpBody = Data()
            return session.dataTask(with: request)
        }
        return Platform.uploadTask(request, upload.file, on: session)
    }
}

extension URLSessionAdapter {
    /// The request as the platform can send it, with the session's own time-out.
    private func prepared(_ request: APIRequest) throws(ServiceError) -> APIRequest {
        var request = request
        try Platform.prepare(&request)
        // The default stands for "nobody said anything", so the session's configuration may.
        if request.options.idleTimeout ?? APIRequest.standardIdleTimeout == APIRequest.standardIdleTimeout {
            request.options.idleTimeout = idleTimeout
        }
        return request
    }
}

extension APIRequest {
    /// The request as a `URLRequest` of the platform.
    fileprivate var platformRequest: URLRequest {
        var result = head
        result.httpBody = body.data
        result.cachePolicy = options.cachePolicy ?? result.cachePolicy
        // One day, because the transfer enforces the timeouts itself. The platform's timeout has whole seconds, and also
        // counts while the reader of a stream is busy. On Linux, it crashes the process if it expires while a redirect
        // is being refused.
        result.timeoutInterval = 86_400
        if body != .none, result.value(forHTTPHeaderField: "Content-Type") == nil {
            // Else the platform claims a form.
            result.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        return result
    }
}

extension Double {
    /// This number within 0 and 1; what is no number counts as the middle.
    fileprivate var clampedToUnit: Double { isNaN ? 0.5 : min(max(self, 0), 1) }
}
