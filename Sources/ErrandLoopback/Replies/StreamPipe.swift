import ErrandSupport
import Foundation

/// Carries the bytes of a streamed body from the task that produces them to the event loop that sends them.
final class StreamPipe: Sendable {
    /// The number of buffered bytes above which writers wait.
    static let highWaterMark = 1 << 16

    enum Ending: Sendable {
        case none
        case finished
        case failed
    }

    private struct State {
        var chunks: [Data] = []
        var byteCount = 0
        var undeclared: Int?
        var ending = Ending.none
        var isClosed = false
        var isAnnounced = false
        var writers: [CheckedContinuation<Bool, Never>] = []

        mutating func takeWriters() -> [CheckedContinuation<Bool, Never>] {
            defer { writers = [] }
            return writers
        }
    }

    private let state: Locked<State>
    private let announce: @Sendable () -> Void

    /// - Parameters:
    ///   - contentLength: The declared length of the body in bytes, or `nil` if none was declared.
    ///   - announce: Tells the event loop that the pipe has bytes or has ended.
    init(contentLength: Int?, announce: @escaping @Sendable () -> Void) {
        state = Locked(State(undeclared: contentLength))
        self.announce = announce
    }

    func write(_ data: Data) async throws(LoopbackError) {
        guard try add(data) else { return }
        let isAlive = await withCheckedContinuation { continuation in
            let verdict: Bool? = state.withLock { state in
                if state.isClosed { return false }
                if state.byteCount <= Self.highWaterMark { return true }
                state.writers.append(continuation)
                return nil
            }
            if let verdict { continuation.resume(returning: verdict) }
        }
        guard isAlive else { throw LoopbackError(.disconnected) }
    }

    /// Ends the body. A body that is shorter than its declared length has failed.
    func finish(_ ending: Ending) {
        let isNew = state.withLock { state in
            let isShort = state.undeclared.map { $0 > 0 } ?? false
            state.ending = isShort ? .failed : ending
            defer { state.isAnnounced = true }
            return !state.isAnnounced
        }
        if isNew { announce() }
    }

    /// Returns the chunks written since the last call and the ending, and resumes the waiting writers.
    func take() -> (chunks: [Data], ending: Ending) {
        let (chunks, ending, writers) = state.withLock { state in
            defer {
                state.chunks = []
                state.byteCount = 0
                state.isAnnounced = false
            }
            return (state.chunks, state.ending, state.takeWriters())
        }
        for writer in writers { writer.resume(returning: true) }
        return (chunks, ending)
    }

    /// Makes the waiting writes and all later ones fail.
    func close() {
        let writers = state.withLock { state in
            state.isClosed = true
            state.chunks = []
            return state.takeWriters()
        }
        for writer in writers { writer.resume(returning: false) }
    }

    /// Appends bytes. Returns whether the writer has to wait.
    private func add(_ data: Data) throws(LoopbackError) -> Bool {
        let (failure, isNew, isFull) = state.withLock { state -> (LoopbackError?, Bool, Bool) in
            if state.isClosed { return (LoopbackError(.disconnected), false, false) }
            if data.isEmpty { return (nil, false, false) }
            if let undeclared = state.undeclared {
                guard data.count <= undeclared else { return (LoopbackError(.contentLengthExceeded), false, false) }
                state.undeclared = undeclared - data.count
            }
            state.chunks.append(data)
            state.byteCount += data.count
            defer { state.isAnnounced = true }
            return (nil, !state.isAnnounced, state.byteCount > Self.highWaterMark)
        }
        if let failure { throw failure }
        if isNew { announce() }
        return isFull
    }
}
