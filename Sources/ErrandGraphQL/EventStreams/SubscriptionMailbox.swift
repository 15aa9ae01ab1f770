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
        /// The latest opened stream, if it was not read. It replaces an earlier one, and does not count.
        var opened: Message?
        /// The unread updates from ``start`` on. Those that were read are `nil`, so that their bytes are released.
        var messages: [Message?] = []
        var start = 0
        var byteCount = 0
        var end: Result<Void, ServiceError>?
        /// A copy of an iterator may wait, too.
        var waiters: [CheckedContinuation<Void, Never>] = []

        var count: Int { messages.count - start }

        /// Removes the oldest message. An update of an earlier stream comes before the stream that was opened after it.
        mutating func takeFirst() -> Message? {
            guard count > 0 else { return opened.take() }
            if case .opened(let ticket)? = opened, let first = messages[start], first.isFrom(ticket) {
                return opened.take()
            }
            let message = messages[start].take()
            start += 1
            if start == messages.count { (messages, start) = ([], 0) }
            byteCount -= message?.size ?? 0
            return message
        }

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
            guard state.end == nil else { return (false, []) }
            if case .opened = message {
                state.opened = message
                return (true, state.takeWaiters())
            }
            let size = message.size
            let isFull = state.count >= limit || state.byteCount > byteLimit - size
            guard state.count == 0 || !isFull else { return (false, []) }
            if state.start > 64, state.start > state.messages.count / 2 {
                state.messages.removeFirst(state.start)
                state.start = 0
            }
            state.messages.append(message)
            state.byteCount += size
            return (true, state.takeWaiters())
        }
        for waiter in waiters { waiter.resume() }
        return isAdded
    }

    /// Whether the service has started the operation over a stream: it has sent unread updates, or has ended the
    /// subscription.
    func hasStarted(over ticket: EventStreamTicket) -> Bool {
        state.withLock { state in
            state.end != nil || state.messages[state.start...].contains { $0?.isFrom(ticket) == true }
        }
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
                guard let message = state.takeFirst() else { return (nil, state.end) }
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
                    if Task.isCancelled || state.count > 0 || state.opened != nil || state.end != nil { return true }
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

    /// Whether this is an update of a stream.
    fileprivate func isFrom(_ ticket: EventStreamTicket) -> Bool {
        if case .update(let own, _) = self { own.number == ticket.number } else { false }
    }
}
