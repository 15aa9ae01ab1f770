import Errand
import ErrandSupport

/// Performs the steps of a reply in order, and waits at each pause.
///
/// A playback ends exactly once, with its last step or when it is stopped. It performs no steps after that.
final class Playback: Sendable {
    private struct State {
        var steps: ArraySlice<CannedReply.Step>
        /// Performs a step. `nil` after the playback has ended.
        var perform: (@Sendable (CannedReply.Step) -> Void)?
        var waiting: Task<Void, Never>?
    }

    private let time: any TimeSource
    private let state: Locked<State>

    init(_ steps: [CannedReply.Step], time: any TimeSource, perform: @escaping @Sendable (CannedReply.Step) -> Void) {
        self.time = time
        state = Locked(State(steps: steps[...], perform: perform))
    }

    /// Performs the steps up to the next wait. Call it only on a queue on which a `URLProtocol` may call its client.
    func play() {
        while let (step, perform) = next() {
            if case .wait(let duration) = step { return wait(duration) }
            perform(step)
        }
    }

    /// Ends the playback, because its client has stopped loading.
    func stop() {
        let waiting = state.withLock { state in
            state.perform = nil
            return state.waiting.take()
        }
        waiting?.cancel()
    }

    private func next() -> (CannedReply.Step, @Sendable (CannedReply.Step) -> Void)? {
        state.withLock { state in
            guard let perform = state.perform, let step = state.steps.popFirst() else { return nil }
            if step.isLast { state.perform = nil }
            return (step, perform)
        }
    }

    private func wait(_ duration: Duration) {
        let instant = time.now + duration
        let waiting = Task {
            guard (try? await time.sleep(until: instant)) != nil, !Task.isCancelled else { return }
            Platform.runOnClientQueue { self.play() }
        }
        let isStopped = state.withLock { state in
            state.waiting = waiting
            return state.perform == nil
        }
        if isStopped { waiting.cancel() }
    }
}
