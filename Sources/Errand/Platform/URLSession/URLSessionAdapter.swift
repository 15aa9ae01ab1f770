/// Runs requests on a `URLSession` with what that class lacks: total and sub-second deadlines, a cap on bodies, prompt
/// cancellation, errors with a code, and challenges answered so that a 401 is an answer like any other.
final class URLSessionAdapter: Sendable {
    private let session: URLSession
    private let delegate: TransferDelegate
    private let gate: HostGate
    private let fields: HeaderFields
    private let ownsSession: Bool
    private let time: any TimeSource

    /// Adapts a session of its own, made from a configuration.
    init(configuration: URLSessionConfiguration, time: some TimeSource = .system) {
        delegate = TransferDelegate()
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        gate = HostGate(limit: configuration.connectionLimit)
        fields = configuration.additionalFields
        ownsSession = true
        self.time = time
    }

    /// Adapts a session that somebody else owns and that calls a task's own delegate.
    init(borrowing session: URLSession, time: some TimeSource = .system) {
        delegate = TransferDelegate()
        self.session = session
        gate = HostGate(limit: session.configuration.connectionLimit)
        fields = [:]
        ownsSession = false
        self.time = time
    }

    // Nothing can be in flight here: each call holds the adapter. Without this a session keeps its delegate for ever.
    deinit { if ownsSession { session.finishTasksAndInvalidate() } }

    func send(_ request: APIRequest) async throws -> APIResponse {
        try request.checkSendable()
        try Platform.checkSendable(request)
        if request.options.deadline?.hasPassed == true { throw Transfer.lateError }
        let transfer = Transfer(request: request, time: time)
        return try await withThrowingTaskGroup(of: APIResponse.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.run(transfer) }
            group.addTask { throw try await transfer.watch() }
            guard let response = try await group.next() else { throw CancellationError() }
            return response
        }
    }

    private func run(_ transfer: Transfer) async throws -> APIResponse {
        let origin = Origin(transfer.request.head.url)
        try await gate.enter(origin)
        defer { gate.leave(origin) }
        let request = platformRequest(for: transfer.request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard transfer.begin(continuation) else { return }
                let task = session.dataTask(with: request)
                task.priority = Float(transfer.request.options.priority)
                delegate.add(transfer, for: task)
                Platform.attach(delegate, to: task, ownsSession: ownsSession)
                transfer.attach(task)
                task.resume()
            }
        } onCancel: {
            transfer.end(.failure(CancellationError()))
        }
    }

    private func platformRequest(for request: APIRequest) -> URLRequest {
        var result = request.head
        result.httpBody = request.body.data
        result.cachePolicy = request.options.cachePolicy ?? result.cachePolicy
        // The platform counts in whole seconds and from the wrong moment: the transfer's own watch comes first.
        let idle = request.options.idleTimeout ?? APIRequest.standardIdleTimeout
        result.timeoutInterval = Double(min(86_400, max(1, idle.components.seconds + 2)))
        for field in fields where result.value(forHTTPHeaderField: field.name) == nil {
            result.setValue(field.value, forHTTPHeaderField: field.name)
        }
        if request.body != .none, result.value(forHTTPHeaderField: "Content-Type") == nil {
            // Else the platform claims a form.
            result.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        return result
    }
}
