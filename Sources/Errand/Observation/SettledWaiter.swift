import ErrandSupport

/// Somebody who waits for a model to settle. Whatever comes first ends the wait: the model, or the waiter's cancellation.
final class SettledWaiter: Sendable {
    private enum State {
        case early
        case waiting(CheckedContinuation<Void, Never>)
        case ended
    }

    private let state = Locked(State.early)

    /// Waits for ``end()``, or until the task is cancelled.
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

    /// Ends the wait, also one that has not begun.
    func end() {
        let last = state.withLock { state in
            defer { state = .ended }
            return state
        }
        if case .waiting(let continuation) = last { continuation.resume() }
    }
}
