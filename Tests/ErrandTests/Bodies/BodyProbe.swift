import Errand
import ErrandSupport
import TestSupport

/// A body stream that counts its reads and records whether it was stopped.
final class BodyProbe: Sendable {
    private struct State {
        var parts: [Data]
        var isEndless = false
        var error: ServiceError?
        var reads = 0
        var stops = 0
    }

    private let state: Locked<State>

    init(_ parts: [Data], then error: ServiceError? = nil) { state = Locked(State(parts: parts, error: error)) }
    init(endless part: Data) { state = Locked(State(parts: [part], isEndless: true)) }

    /// A body that reads from this probe. Each access returns a new body.
    var body: ResponseBody {
        ResponseBody(BodyStream(stop: { self.state.withLock { $0.stops += 1 } }, open: { { try await self.next() } }))
    }

    var isStopped: Bool { state.withLock { $0.stops > 0 } }
    var readCount: Int { state.withLock { $0.reads } }

    private func next() async throws -> Data? {
        try Task.checkCancellation()
        let (part, error) = state.withLock { state -> (Data?, ServiceError?) in
            state.reads += 1
            if state.isEndless { return (state.parts.first, nil) }
            if state.parts.isEmpty { return (nil, state.error) }
            return (state.parts.removeFirst(), nil)
        }
        if let error { throw error }
        return part
    }
}
