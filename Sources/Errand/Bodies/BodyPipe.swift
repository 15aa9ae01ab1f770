import ErrandSupport

/// A buffer between a transport that writes and a reader. It is bounded if the transport can pause.
///
/// ```swift
/// let goesOn = pipe.write(chunk)      // if false, pause until `onDrained` is called
/// let chunk = try await pipe.read()
/// ```
package final class BodyPipe: Sendable {
    /// The number of unread bytes at which the transport pauses: 512 kB. It resumes at half of them, so that it need
    /// not wait until the reader has read them all.
    package static let highWater: Int = 512 << 10
    package static let lowWater: Int = highWater / 2

    struct State {
        var unread = ChunkQueue()
        var reader: CheckedContinuation<Data?, any Error>?
        var isPaused = false
        /// The result of the writer, or `nil` if it has not finished.
        var end: Result<Void, any Error>?
        var isStopped = false

        /// Returns the first unread bytes, and whether a paused transport can resume.
        mutating func takeUnread() -> (bytes: Data, drained: Bool)? {
            guard let bytes = unread.popFirst() else { return nil }
            let drained = isPaused && unread.count <= BodyPipe.lowWater
            if drained { isPaused = false }
            return (bytes, drained)
        }

        /// Adds bytes after the unread ones.
        mutating func add(_ append: (inout ChunkQueue) -> Void) {
            append(&unread)
            if unread.count >= BodyPipe.highWater { isPaused = true }
        }
    }

    private let onDrained: @Sendable () -> Void
    private let onStop: @Sendable () -> Void
    let state = Locked(State())

    /// Creates an empty pipe.
    /// - Parameters:
    ///   - onDrained: Called when a paused transport can resume.
    ///   - onStop: Called once, when reading stops before the writer has finished.
    package init(onDrained: @escaping @Sendable () -> Void = {}, onStop: @escaping @Sendable () -> Void = {}) {
        self.onDrained = onDrained
        self.onStop = onStop
    }

    /// The number of unread bytes.
    package var unreadCount: Int { state.withLock { $0.unread.count } }

    /// Whether the transport should pause.
    package var isFull: Bool { state.withLock { $0.unread.count >= Self.highWater } }

    /// Adds bytes. Returns `false` if the transport should pause.
    package func write(_ bytes: Data) -> Bool {
        let (reader, goesOn) = state.withLock { state -> (CheckedContinuation<Data?, any Error>?, Bool) in
            guard state.end == nil, !state.isStopped else { return (nil, true) }
            if let reader = state.reader.take() { return (reader, true) }
            state.add { $0.append(bytes) }
            return (nil, state.unread.count < Self.highWater)
        }
        reader?.resume(returning: bytes)
        return goesOn
    }

    /// Finishes writing. Only the first call has an effect. Unread bytes can still be read before a failure is thrown.
    package func finish(_ end: Result<Void, any Error>) {
        let (reader, bytes) = state.withLock { state -> (CheckedContinuation<Data?, any Error>?, Data?) in
            guard state.end == nil else { return (nil, nil) }
            state.end = end
            guard let reader = state.reader.take() else { return (nil, nil) }
            return (reader, state.takeUnread()?.bytes)
        }
        if let bytes { reader?.resume(returning: bytes) } else { reader?.resume(with: end.map { nil }) }
    }

    /// Stops reading, and with it the transfer.
    package func stop() {
        let (reader, isEarly) = state.withLock { state -> (CheckedContinuation<Data?, any Error>?, Bool) in
            guard !state.isStopped else { return (nil, false) }
            state.isStopped = true
            state.unread = ChunkQueue()
            return (state.reader.take(), state.end == nil)
        }
        reader?.resume(throwing: CancellationError())
        if isEarly { onStop() }
    }

    /// Returns the next bytes, or `nil` at the end.
    /// - Throws: The error that the writer finished with, or `CancellationError`.
    package func read() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { take($0) }
        } onCancel: {
            stop()
        }
    }

    private func take(_ reader: CheckedContinuation<Data?, any Error>) {
        enum Decision {
            case now(Result<Data?, any Error>, drained: Bool)
            case later
        }
        let decision = state.withLock { state -> Decision in
            if state.isStopped { return .now(.failure(CancellationError()), drained: false) }
            if let (bytes, drained) = state.takeUnread() { return .now(.success(bytes), drained: drained) }
            if let end = state.end { return .now(end.map { nil }, drained: false) }
            state.reader = reader
            return .later
        }
        guard case .now(let result, let drained) = decision else { return }
        reader.resume(with: result)
        if drained { onDrained() }
    }
}
