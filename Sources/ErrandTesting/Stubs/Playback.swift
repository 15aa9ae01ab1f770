package import Errand

/// Plays a reply step by step: what is due at once, at once; what waits, when its time has come.
///
/// It ends exactly once, by its last step or by being stopped; after that nothing is performed any more.
package final class Playback: Sendable {
    /// One thing that the caller is told.
    package enum Step: Sendable {
        case wait(Duration)
        case head(CannedReply.Head)
        case data(Data)
        case finish
        case fail(any Error)

        var isLast: Bool {
            switch self {
            case .finish, .fail: true
            case .wait, .head, .data: false
            }
        }
    }

    private struct State {
        var steps: ArraySlice<Step>
        /// Nil once the playback has ended.
        var perform: (@Sendable (Step) -> Void)?
        var waiting: Task<Void, Never>?
    }

    private let time: any TimeSource
    private let state: Locked<State>

    init(_ steps: [Step], time: any TimeSource, perform: @escaping @Sendable (Step) -> Void) {
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

    private func next() -> (Step, @Sendable (Step) -> Void)? {
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

extension CannedReply {
    /// The steps in which a caller is told this reply; one that goes silent has no last step.
    ///
    /// The answer to HEAD has no body (RFC 9110, section 9.3.2). A body in one part comes at once, after all its pauses.
    package func steps(hasBody: Bool, inOnePart: Bool = false) -> [Playback.Step] {
        var steps: [Playback.Step] = delay > .zero ? [.wait(delay)] : []
        if let head { steps.append(.head(head)) }
        let parts = hasBody && head != nil ? chunks.filter { !$0.isEmpty } : []
        let pauses: [Playback.Step] = interval > .zero ? [.wait(interval)] : []
        if inOnePart, !parts.isEmpty {
            steps += Array(repeating: pauses, count: parts.count - 1).joined()
            steps.append(.data(Data(parts.joined())))
        } else {
            for (index, part) in parts.enumerated() { steps += (index == 0 ? [] : pauses) + [.data(part)] }
        }
        switch ending {
        case .complete: steps.append(.finish)
        case .failure(let error): steps.append(.fail(error))
        case .silence: break
        }
        return steps
    }
}
