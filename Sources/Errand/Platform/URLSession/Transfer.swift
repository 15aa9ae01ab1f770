import Dispatch

/// One request on its way over a `URLSession`: what has arrived, who waits for it, and how it ends, once.
///
/// Delegate calls, cancellation and the watch come from three threads; the first to end it decides.
final class Transfer: Sendable {
    private struct State {
        var waiter: CheckedContinuation<APIResponse, any Error>?
        var task: URLSessionTask?
        var ended = false
        /// Whether the task has been cancelled; set on ``cancelQueue`` alone.
        var stopped = false
        var head: ResponseHead?
        var body = Data()
        /// How much has come of a body that nobody reads; nil where it is read.
        var dropped: Int?
        var lastActivity: Duration?
    }

    /// The most bytes of a redirect's own body that are waited for, whatever the call's cap: 64 kB.
    private static let droppedLimit = 65_536

    /// Task cancellation blocks while the platform's work queue is busy, so it must not be called from that queue, nor
    /// from a task that has to end promptly.
    private static let cancelQueue = DispatchQueue(label: "errand.transfer.cancel")

    let request: APIRequest
    private let limit: Int
    private let time: any TimeSource
    private let state = Locked(State())

    init(request: APIRequest, time: any TimeSource) {
        self.request = request
        self.limit = request.options.delivery.limit
        self.time = time
    }

    /// Registers who waits. False, with the waiter resumed, where the transfer has ended before it began.
    func begin(_ waiter: CheckedContinuation<APIResponse, any Error>) -> Bool {
        let begun = state.withLock { state in
            guard !state.ended else { return false }
            state.waiter = waiter
            state.lastActivity = time.now
            return true
        }
        if !begun { waiter.resume(throwing: CancellationError()) }
        return begun
    }

    /// Whether the transfer has come to its end.
    var hasEnded: Bool { state.withLock { $0.ended } }

    /// Names the task that carries the transfer; one that ended meanwhile is cancelled.
    func attach(_ task: URLSessionTask) {
        let ended = state.withLock { state in
            state.task = task
            return state.ended
        }
        if ended { stop(task) }
    }

    private func stop(_ task: URLSessionTask) {
        Self.cancelQueue.async {
            self.state.withLock { $0.stopped = true }
            task.cancel()
        }
    }

    /// Tells the platform not to follow a redirect by itself.
    ///
    /// On the queue that cancels, as the platform may not be told once it was: either this comes first, or not at all.
    func refuseRedirect(_ answer: @escaping @Sendable (URLRequest?) -> Void) {
        Self.cancelQueue.async {
            let stopped = self.state.withLock { $0.stopped }
            if !stopped || Platform.takesLateAnswers { answer(nil) }
        }
    }

    /// Ends the transfer and stops its task; later calls do nothing.
    func end(_ result: Result<APIResponse, any Error>) {
        let (waiter, task) = state.withLock { state in
            guard !state.ended else {
                return (nil as CheckedContinuation<APIResponse, any Error>?, nil as URLSessionTask?)
            }
            state.ended = true
            state.body = Data()
            defer { state.waiter = nil }
            return (state.waiter, state.task)
        }
        if case .failure = result, let task { stop(task) }
        waiter?.resume(with: result)
    }
}

extension Transfer {
    /// Takes a head; interim ones are passed over (RFC 9110, section 15.2), 101 is final.
    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            return end(.failure(ServiceError(.badResponse, "the answer is not HTTP")))
        }
        guard response.statusCode >= 200 || response.statusCode == 101 else { return touch() }
        let isDropped = isOnTheWay(response)
        if response.expectedContentLength > Int64(limit), request.head.httpMethod != "HEAD", !isDropped {
            return end(.failure(tooLarge))
        }
        guard let head = ResponseHead(response, for: request.head.url) else {
            return end(.failure(ServiceError(.badResponse, "the answer has no address")))
        }
        // The platform passes a CR on (RFC 9110, section 5.5): whoever writes the value elsewhere would forge a field.
        if let flaw = head.fields.lazy.compactMap(\.flaw).first {
            return end(.failure(ServiceError(.badResponse, flaw)))
        }
        state.withLock { state in
            state.head = head
            state.body = Data()
            state.dropped = isDropped ? 0 : nil
            state.lastActivity = time.now
        }
    }

    private var tooLarge: ServiceError { ServiceError.bodyTooLarge(limit) }

    /// Takes a part of the body, as long as the cap allows.
    func receive(_ data: Data) {
        let fits = state.withLock { state in
            guard !state.ended else { return true }
            state.lastActivity = time.now
            if let dropped = state.dropped {
                state.dropped = dropped + data.count
                return dropped + data.count <= max(limit, Self.droppedLimit)
            }
            guard data.count <= limit - state.body.count else { return false }
            state.body.append(data)
            return true
        }
        if !fits { end(.failure(tooLarge)) }
    }

    /// Takes the end that the platform reports, with the head as it knows it.
    func complete(_ error: (any Error)?, _ response: URLResponse?, challenged: Bool) {
        // A redirect without a target that the platform can read is not announced on Linux, only known at the end, and
        // its body is lost.
        if error == nil, let response = response as? HTTPURLResponse, state.withLock({ $0.head == nil }) {
            guard response.value(forHTTPHeaderField: "Content-Length") == "0" || isOnTheWay(response) else {
                let reason = "a \(response.statusCode) without an address, whose body the platform drops"
                return end(.failure(ServiceError(.badResponse, reason)))
            }
            receive(response)
        }
        let (head, body) = state.withLock { ($0.head, $0.body) }
        // A refused challenge ends the task as cancelled, after the answer to it has arrived.
        let isRefusal = challenged && head != nil && (error as? URLError)?.code == .cancelled
        if let error, !isRefusal { return end(.failure(TransportFailure.classify(error))) }
        guard let head else { return end(.failure(ServiceError(.badResponse, "the answer has no head"))) }
        end(.success(APIResponse(head: head, body: ResponseBody(body))))
    }

    /// Whether this is a redirect that the call does not end with, so that nobody misses its body.
    private func isOnTheWay(_ response: HTTPURLResponse) -> Bool {
        request.options.redirects.mode != .manual && ResponseHead(response, for: request.head.url)?.isRedirect == true
    }

    private func touch() {
        state.withLock { $0.lastActivity = time.now }
    }

    /// Waits until the server has been silent for the idle time-out, and returns the error that this is.
    ///
    /// It counts from the moment the request is sent: waiting for a free connection is not silence.
    func silence() async throws -> any Error {
        let idle = min(max(request.options.idleTimeout ?? APIRequest.standardIdleTimeout, .zero), .seconds(86_400))
        while true {
            let now = time.now
            let quiet = state.withLock { now - ($0.lastActivity ?? now) }
            if quiet >= idle { return ServiceError(.timeout, "the server was silent for \(idle)") }
            try await time.sleep(until: now + idle - quiet)
        }
    }
}

extension ResponseHead {
    /// Reads the platform's head, which has lost the fields' order and folded duplicates: they are sorted by name.
    init?(_ response: HTTPURLResponse, for url: URL?) {
        guard let url = response.url ?? url else { return nil }
        let all = response.allHeaderFields
        let fields = all.compactMap { name, value -> HeaderFields.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HeaderFields.Field(name, value)
        }
        self.init(
            status: response.statusCode, fields: HeaderFields(fields.sorted { $0.name < $1.name }), url: url)
        // Where two names differ in case alone the platform kept both, and a made head folds them.
        let names = Set(fields.lazy.map { $0.name.lowercased() })
        if response.url != nil, names.count == all.count { original = Original(response) }
    }
}
