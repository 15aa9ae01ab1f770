import Dispatch

/// Sends requests over a `URLSession`, and adds the features that it lacks: total and sub-second deadlines, size
/// limits for bodies, prompt cancellation, errors with a code, and redirects by the rules of ``RedirectInterceptor``.
/// Password challenges are refused, so a 401 response is returned like any other.
final class URLSessionAdapter: APISession {
    /// The queue that creates and starts tasks. On Linux both can block while the platform's only work queue processes
    /// another response. They must not block a thread of the Swift concurrency pool or delay a cancellation.
    private static let startQueue = DispatchQueue(label: "errand.transfer.start")

    /// The adapter's own session, or `nil` if each call passes a borrowed one.
    private let ownSession: URLSession?
    private let delegate = TransferDelegate()
    private let gate: HostGate?
    /// The headers to add to each request, before redirects are followed: a redirect must be able to drop them.
    private let headers: HeaderFields
    /// The headers that the session itself adds to each request.
    private let sessionHeaders: HeaderFields
    private let idleTimeout: Duration
    private let time: any TimeSource
    /// Rejects the requests that this process must not send, redirects included.
    private let check: @Sendable (APIRequest) throws -> Void

    /// Creates an adapter with its own session, from the configuration and the rules of this library.
    init(
        configuration: URLSessionConfiguration, time: some TimeSource = .system,
        check: @escaping @Sendable (APIRequest) throws -> Void = { _ in }
    ) {
        self.check = check
        ownSession = URLSession(configuration: configuration.hardened(), delegate: delegate, delegateQueue: nil)
        gate = HostGate(limit: configuration.connectionLimit)
        headers = configuration.additionalHeaders
        sessionHeaders = [:]
        idleTimeout = configuration.idleTimeout
        self.time = time
    }

    /// Creates an adapter for borrowed sessions, which call the delegate of each task. It does not keep them alive.
    init(borrowing configuration: URLSessionConfiguration, time: some TimeSource = .system) {
        check = { _ in }
        ownSession = nil
        gate = nil
        headers = [:]
        sessionHeaders = configuration.additionalHeaders
        idleTimeout = configuration.idleTimeout
        self.time = time
    }

    // All tasks have ended, because each keeps the adapter alive. Without invalidation, a session keeps its delegate
    // forever.
    deinit { ownSession?.finishTasksAndInvalidate() }

    /// Sends a request with the adapter's own session.
    func send(_ request: APIRequest) async throws -> APIResponse { try await send(request, on: nil) }

    /// Sends a request with the adapter's own session or, if there is none, with a borrowed session.
    func send(_ request: APIRequest, on borrowed: URLSession?) async throws -> APIResponse {
        guard let session = ownSession ?? borrowed else {
            throw ServiceError(.configuration, "the adapter has no session")
        }
        var request = request
        try request.head.addMissing(headers)
        try request.checkSendable()
        return try await RedirectInterceptor(sessionHeaders: sessionHeaders, foldsDuplicates: true)
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
                // If a file has shrunk, the platform waits for the missing bytes. The timeout is not the cause.
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
        // Unknown if the system queues requests.
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
        let request = transfer.request.platformRequest
        let task = makeTask(request, upload, on: session)
        if let size = upload?.file.size ?? request.httpBody.map({ Int64($0.count) }) {
            transfer.request.options.uploadMeter?.begin(total: size)
        }
        task.priority = Float(transfer.request.options.priority.clampedToUnit)
        // A stream outlives its call, so the adapter and its session are kept alive too.
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
    /// Returns the request in the form that the platform can send, with the timeout of the session.
    private func prepared(_ request: APIRequest) throws(ServiceError) -> APIRequest {
        var request = request
        try Platform.prepare(&request)
        // A request with the default timeout uses the timeout of the session's configuration.
        if request.options.idleTimeout ?? APIRequest.defaultIdleTimeout == APIRequest.defaultIdleTimeout {
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
        // One day, because the transfer enforces the timeouts itself. The platform's timeout has whole seconds, and
        // also counts while the reader of a stream is busy. On Linux, it crashes the process if it expires while a
        // redirect is refused.
        result.timeoutInterval = 86_400
        if body != .none, result.value(forHTTPHeaderField: "Content-Type") == nil {
            // Otherwise the platform sends the content type of an HTML form.
            result.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        return result
    }
}

extension Double {
    /// This number, limited to 0 to 1. NaN becomes 0.5.
    fileprivate var clampedToUnit: Double { isNaN ? 0.5 : min(max(self, 0), 1) }
}
