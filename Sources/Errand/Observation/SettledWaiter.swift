import ErrandSupport

/// A waiter for the end of all loads of a model. The wait ends when the model settles or the waiting task is
/// cancelled.
final class SettledWaiter: Sendable {
    private enum State {
        case early
        case waiting(CheckedContinuation<Void, Never>)
        case ended
    }

    private let state = Locked(State.early)

    /// Waits until ``end()`` is called or the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasEnded = state.withLock { state in
                    if case .ended = state { return true }
                    state = .waiting(continuation)
                    return false
                }
                if hasEnded { continuation.resume() }
            }
        } onCancel: {
            end()
        }
    }

    /// Ends the wait, even if it has not started yet.
    func end() {
        let last = state.withLock { state in
            defer { state = .ended }
            return state
        }
        if case .waiting(let continuation) = last { continuation.resume() }
    }
}
