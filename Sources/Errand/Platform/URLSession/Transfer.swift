import Dispatch
import ErrandSupport

/// One request on its way over a `URLSession`: what has arrived, who waits for it, and how it ends, once.
///
/// Delegate calls, cancellation, the reader of a stream and the watch come from different threads; the first to end it
/// decides.
final class Transfer: Sendable {
    struct State {
        var waiter: CheckedContinuation<APIResponse, any Error>?
        var task: URLSessionTask?
        var ended = false
        /// Whether it ended with the answer's last byte.
        var isWhole = false
        /// Whether the task has been cancelled; set on ``cancelQueue`` alone.
        var stopped = false
        /// Whether the task is suspended; set on ``cancelQueue`` alone.
        var isSuspended = false
        var head: ResponseHead?
        /// The number of bytes that the body must have. `nil` if it is not checked.
        var framing: MessageFraming?
        var body = Data()
        /// Where a body goes that is read while it arrives.
        var pipe: BodyPipe?
        /// Ends a stream by silence or deadline.
        var watch: Task<Void, Never>?
        /// Since when the reader of a stream has been waiting; nil while it is busy with what it has got.
        var readerWaitsSince: Duration?
        /// How much has come of a body that nobody reads; nil where it is read.
        var dropped: Int?
        var lastActivity: Duration?
        var account = Account()
    }

    /// Task cancellation blocks while the platform's work queue is busy, so it must not be called from that queue, nor
    /// from a task that has to end promptly.
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

    /// Registers who waits, and how long for a free connection. False, with the waiter resumed, where the transfer has
    /// ended before it began.
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

    /// Whether the transfer has come to its end.
    var hasEnded: Bool { state.withLock { $0.ended } }

    /// Names the task that carries the transfer; one that ended meanwhile is cancelled.
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

    /// Tells the platform not to follow a redirect by itself.
    ///
    /// On the queue that cancels, as the platform may not be told once it was: either this comes first, or not at all.
    func refuseRedirect(_ answer: @escaping @Sendable (URLRequest?) -> Void) {
        Self.cancelQueue.async {
            let stopped = self.state.withLock { $0.stopped }
            if !stopped || Platform.takesLateAnswers { answer(nil) }
        }
    }

    /// Ends the transfer and stops its task; later calls do nothing. Of a stream the reader is told, after what is unread.
    func end(_ result: Result<APIResponse, any Error>) {
        let last = state.withLock { state -> State? in
            guard !state.ended else { return nil }
            state.ended = true
            if case .success = result { state.isWhole = true }
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
