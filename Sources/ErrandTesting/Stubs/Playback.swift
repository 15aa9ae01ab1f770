import Errand
import ErrandSupport

/// Plays a reply step by step: what is due at once, at once; what waits, when its time has come.
///
/// It ends exactly once, by its last step or by being stopped; after that nothing is performed any more.
final class Playback: Sendable {
    private struct State {
        var steps: ArraySlice<CannedReply.Step>
        /// Nil once the playback has ended.
        var perform: (@Sendable (CannedReply.Step) -> Void)?
        var waiting: Task<Void, Never>?
    }

    private let time: any TimeSource
    private let state: Locked<State>

    init(_ steps: [CannedReply.Step], time: any TimeSource, perform: @escaping @Sendable (CannedReply.Step) -> Void) {
        self.time = time
        state = Locked(State(steps: steps[...], perform: perform))
    }

    /// Performs the steps up to the next wait. Called where the platform allows calls to a `URLProtocol`'s client.
    func play() {
        while let (step, perform) = next() {
            if case .wait(let duration) = step { return wait(duration) }
            perform(step)
        }
    }

    /// Ends the playback: its caller listens no longer.
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
