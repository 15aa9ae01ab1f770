import ErrandSupport

/// The statistics and the request log of a server, readable from any thread.
final class Ledger: Sendable {
    typealias Statistics = LoopbackServer.Statistics

    private struct State {
        var statistics = Statistics()
        var log: RequestLog
        var watchers: [Int: AsyncStream<Statistics>.Continuation] = [:]
        var watchersSoFar = 0
        var isFinished = false
    }

    private let state: Locked<State>

    init(recording limit: Int) {
        state = Locked(State(log: RequestLog(limit: limit)))
    }

    var statistics: Statistics { state.withLock { $0.statistics } }
    var requests: [LoopbackRequest] { state.withLock { $0.log.requests } }

    func accepted() {
        update {
            $0.statistics.acceptedConnections += 1
            $0.statistics.openConnections += 1
        }
    }

    func closed() {
        update { $0.statistics.openConnections -= 1 }
    }

    func received(_ request: LoopbackRequest) {
        update {
            $0.statistics.requests += 1
            $0.log.add(request)
        }
    }

    /// The current statistics, then the newest after each change.
    func updates() -> AsyncStream<Statistics> {
        let (stream, continuation) = AsyncStream.makeStream(of: Statistics.self, bufferingPolicy: .bufferingNewest(1))
        let (number, isFinished) = state.withLock { state in
            state.watchersSoFar += 1
            if !state.isFinished { state.watchers[state.watchersSoFar] = continuation }
            continuation.yield(state.statistics)  // under the lock, so that older figures never replace newer ones
            return (state.watchersSoFar, state.isFinished)
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) }
        }
        if isFinished { continuation.finish() }
        return stream
    }

    func finish() {
        let watchers = state.withLock { state in
            state.isFinished = true
            defer { state.watchers = [:] }
            return state.watchers
        }
        for watcher in watchers.values { watcher.finish() }
    }

    private func update(_ change: @Sendable (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            for watcher in state.watchers.values { watcher.yield(state.statistics) }
        }
    }
}
