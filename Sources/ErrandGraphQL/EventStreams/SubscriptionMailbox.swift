import Errand
import ErrandSupport

/// The messages of one subscription: written by the event stream, and read by the loop of the subscription.
final class SubscriptionMailbox: Sendable {
    enum Message: Sendable {
        /// The stream was opened. The operation has to be sent.
        case opened(EventStreamTicket)
        /// The payload of a `next` event.
        case update(EventStreamTicket, Data)
    }

    private struct State {
        var messages: ArraySlice<Message> = []
        var byteCount = 0
        var end: Result<Void, ServiceError>?
        /// A copy of an iterator may wait, too.
        var waiters: [CheckedContinuation<Void, Never>] = []

        mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
            defer { waiters = [] }
            return waiters
        }
    }

    private let limit: Int
    private let byteLimit: Int
    private let state = Locked(State())

    init(limit: Int, byteLimit: Int) {
        (self.limit, self.byteLimit) = (limit, max(0, byteLimit))
    }

    /// Adds a message. Returns `false` if the mailbox is full. A single update may have any size.
    func put(_ message: Message) -> Bool {
        let (isAdded, waiters) = state.withLock { state -> (Bool, [Waiter]) in
            let size = message.size
            let isFull = state.messages.count >= limit || state.byteCount > byteLimit - size
            guard state.end == nil, state.messages.isEmpty || !isFull else { return (false, []) }
            state.messages.append(message)
            state.byteCount += size
            return (true, state.takeWaiters())
        }
        for waiter in waiters { waiter.resume() }
        return isAdded
    }

    /// Ends the subscription after the messages that were added.
    func finish(_ end: Result<Void, ServiceError>) {
        let waiters = state.withLock { state in
            if state.end == nil { state.end = end }
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns the next message, or `nil` at the end.
    func next() async throws(ServiceError) -> Message? {
        while true {
            try ServiceError.checkCancellation()
            let (message, end) = state.withLock { state -> (Message?, Result<Void, ServiceError>?) in
                guard let message = state.messages.popFirst() else { return (nil, state.end) }
                state.byteCount -= message.size
                return (message, nil)
            }
            if let message { return message }
            if let end {
                try end.get()
                return nil
            }
            await wait()
        }
    }

    private typealias Waiter = CheckedContinuation<Void, Never>

    /// Waits for a change or a cancellation.
    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isReady = state.withLock { state in
                    // The check of the cancellation comes after the lock, so that the handler finds the waiter.
                    if Task.isCancelled || !state.messages.isEmpty || state.end != nil { return true }
                    state.waiters.append(waiter)
                    return false
                }
                if isReady { waiter.resume() }
            }
        } onCancel: {
            // Other waiters wait again.
            for waiter in state.withLock({ $0.takeWaiters() }) { waiter.resume() }
        }
    }
}

extension SubscriptionMailbox.Message {
    fileprivate var size: Int {
        if case .update(_, let body) = self { body.count } else { 0 }
    }
}
