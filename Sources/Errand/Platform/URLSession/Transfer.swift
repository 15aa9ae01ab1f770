import Dispatch
import ErrandSupport

/// One request over a `URLSession`: the received bytes, the waiting caller, and the result, which is set once.
///
/// Delegate calls, cancellation, the reader of a stream and the timeouts run on different threads. The first of them
/// to end the transfer determines its result.
final class Transfer: Sendable {
    struct State {
        var waiter: CheckedContinuation<APIResponse, any Error>?
        var task: URLSessionTask?
        var ended = false
        /// Whether the transfer ended with the response's last byte.
        var isComplete = false
        /// Whether the task has been cancelled. Set only on ``cancelQueue``.
        var stopped = false
        /// Whether the task is suspended. Set only on ``cancelQueue``.
        var isSuspended = false
        var head: ResponseHead?
        /// The number of bytes that the body must have. `nil` if it is not checked.
        var framing: MessageFraming?
        var body = Data()
        /// Passes a streamed body to its reader.
        var pipe: BodyPipe?
        /// Ends a stream when the deadline or the idle timeout passes.
        var watch: Task<Void, Never>?
        /// The time since which the reader of a stream has been waiting. `nil` while it processes received bytes.
        var readerWaitsSince: Duration?
        /// The number of received bytes of a body that is discarded. `nil` if the body is kept.
        var dropped: Int?
        var lastActivity: Duration?
        var account = Account()
    }

    /// The queue that cancels tasks. Cancellation blocks while the platform's work queue is busy, so it must not be
    /// called from that queue, nor from a Swift task that has to end promptly.
    static let cancelQueue = DispatchQueue(label: "errand.transfer.cancel")

    let request: APIRequest
    let limit: Int
    let time: any TimeSource
    let state = Locked(State())

    init(request: APIRequest, time: any TimeSource) {
        self.request = request
        self.limit = request.options.delivery.limit
        self.time = time
    }

    /// Registers the waiting caller, and the time that the request was queued. If the transfer has already ended,
    /// resumes the caller and returns `false`.
    func begin(_ waiter: CheckedContinuation<APIResponse, any Error>, queued: Duration?) -> Bool {
        let begun = state.withLock { state in
            guard !state.ended else { return false }
            let now = time.now
            state.waiter = waiter
            state.lastActivity = now
            state.account.queued = queued
            state.account.began = now
            return true
        }
        if !begun { waiter.resume(throwing: CancellationError()) }
        return begun
    }

    /// Whether the transfer has ended.
    var hasEnded: Bool { state.withLock { $0.ended } }

    /// Sets the task of the transfer. If the transfer has already ended, cancels the task.
    func attach(_ task: URLSessionTask) {
        let ended = state.withLock { state in
            if !state.ended { state.task = task }
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

    /// Tells the platform not to follow a redirect.
    ///
    /// It uses the queue that cancels tasks, because the completion handler must not be called after a cancellation.
    /// It runs before a cancellation, or not at all.
    func refuseRedirect(_ completion: @escaping @Sendable (URLRequest?) -> Void) {
        Self.cancelQueue.async {
            let stopped = self.state.withLock { $0.stopped }
            if !stopped || Platform.allowsLateCompletion { completion(nil) }
        }
    }

    /// Ends the transfer and stops its task. Later calls do nothing. A stream ends after its unread bytes.
    func end(_ result: Result<APIResponse, any Error>) {
        let last = state.withLock { state -> State? in
            guard !state.ended else { return nil }
            state.ended = true
            if case .success = result { state.isComplete = true }
            let last = state
            (state.waiter, state.task, state.pipe, state.watch) = (nil, nil, nil, nil)
            state.body = Data()
            return last
        }
        guard let last else { return }
        last.watch?.cancel()
        if case .failure = result, let task = last.task { stop(task) }
        last.pipe?.finish(result.map { _ in })
        last.waiter?.resume(with: result)
    }
}
