#if os(Linux)
    import ErrandSupport
    import CErrandCurl

    /// The body of a request that is being sent: bytes in memory, or chunks that are fed as libcurl asks for them.
    package final class CurlUpload: Sendable {
        private struct State {
            var unsent = Data()
            var offset = 0
            /// The chunk after ``unsent``. The source is read while the chunk before is sent.
            var next: Data?
            var fed: Int64 = 0
            var hasAll = false
            var failure: ServiceError?
            /// The feeding task, while ``next`` is not empty.
            var feeder: CheckedContinuation<Void, Never>?
            /// Whether libcurl was told that there are no bytes yet.
            var isAwaited = false
            var isStopped = false
            var feeding: Task<Void, Never>?
            /// Makes libcurl ask for bytes again. It holds the transfer, so it is released when feeding stops.
            var wake: (@Sendable () -> Void)?
        }

        /// The number of bytes, or `nil` if it is unknown.
        package let count: Int64?
        private let canRewind: Bool
        private let meter: TransferMeter?
        private let state: Locked<State>

        /// Creates an upload of bytes in memory.
        package init(_ data: Data, canRewind: Bool, meter: TransferMeter? = nil) {
            count = Int64(data.count)
            self.canRewind = canRewind
            self.meter = meter
            meter?.begin(total: count)
            state = Locked(State(unsent: data, fed: Int64(data.count), hasAll: true))
        }

        /// Creates an upload of chunks that are fed.
        package init(count: Int64?, meter: TransferMeter? = nil) {
            self.count = count
            canRewind = false
            self.meter = meter
            meter?.begin(total: count)
            state = Locked(State())
        }

        /// The error of the source, or `nil`.
        package var failure: ServiceError? { state.withLock { $0.failure } }

        /// The special results of ``read(into:)``: no bytes are available yet, or the upload has failed.
        package enum Given {
            package static let none: Int64 = .init(ERRAND_READ_LATER)
            package static let failed: Int64 = .init(ERRAND_READ_FAILED)
        }

        /// Copies bytes for libcurl. Returns the number of bytes, 0 at the end, or a value of ``Given``.
        package func read(into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int64 {
            let (given, feeder) = state.withLock { state -> (Int64, CheckedContinuation<Void, Never>?) in
                if state.failure != nil || state.isStopped { return (Given.failed, nil) }
                let part = min(bytes.count, state.unsent.count - state.offset)
                if part > 0 {
                    let start = state.unsent.startIndex + state.offset
                    state.unsent.copyBytes(to: bytes, from: start..<(start + part))
                    state.offset += part
                    guard state.offset == state.unsent.count else { return (Int64(part), nil) }
                    if let next = state.next.take() { (state.unsent, state.offset) = (next, 0) }
                    return (Int64(part), state.feeder.take())
                }
                if state.hasAll { return (0, nil) }
                state.isAwaited = true
                return (Given.none, nil)
            }
            feeder?.resume()
            meter?.add(given)
            return given
        }

        /// Returns to the first byte. Returns `false` if the request must not be sent twice, or the bytes were fed.
        package func rewind() -> Bool {
            state.withLock { state in
                guard canRewind else { return false }
                state.offset = 0
                meter?.begin(total: count)
                return true
            }
        }

        /// Stops feeding.
        package func stop() {
            let (feeder, feeding) = state.withLock { state in
                state.isStopped = true
                state.wake = nil
                return (state.feeder.take(), state.feeding.take())
            }
            feeding?.cancel()
            feeder?.resume()
        }

        /// Starts feeding a body. `wake` is called when libcurl waits and bytes have become available.
        ///
        /// The task is unstructured, because the response may be returned before the body was sent. ``stop()`` ends
        /// it.
        package func start(feeding body: RequestBody, wake: @escaping @Sendable () -> Void) {
            let feeding = Task { await feed(body, wake: wake) }
            let isStopped = state.withLock { state in
                state.feeding = feeding
                if !state.isStopped { state.wake = wake }
                return state.isStopped
            }
            if isStopped { feeding.cancel() }
        }

        /// Notes that the response has begun before all of the body was sent, or that a rejection is complete.
        ///
        /// libcurl stops sending a rejected body, but notices the rejection only if it does not wait for the source.
        /// If the connection will be closed, libcurl continues forever, so it gets no more bytes.
        func hear(isComplete: Bool) {
            let wake = state.withLock { state in
                if isComplete { state.isStopped = true }
                return state.isAwaited ? state.wake : nil
            }
            wake?()
        }

        private func feed(_ body: RequestBody, wake: @Sendable () -> Void) async {
            do {
                for try await part in body.chunks {
                    guard await give(part, wake: wake) else { return }
                }
                end(nil, wake: wake)
            } catch {
                end(ServiceError(wrapping: error, as: .encoding, "the body's source failed"), wake: wake)
            }
        }

        /// Offers one chunk, and waits until the chunk before has been sent. Returns `false` if no more chunks are
        /// needed.
        private nonisolated(nonsending) func give(_ part: Data, wake: @Sendable () -> Void) async -> Bool {
            guard !part.isEmpty else { return true }
            let (isAwaited, goesOn) = state.withLock { state in
                state.fed += Int64(part.count)
                if let count, state.fed > count {
                    state.failure = ServiceError(.encoding, "expected a request body of \(count) bytes, found more")
                }
                if state.offset < state.unsent.count {
                    state.next = part
                } else {
                    (state.unsent, state.offset) = (part, 0)
                }
                defer { state.isAwaited = false }
                return (state.isAwaited, state.failure == nil && !state.isStopped)
            }
            if isAwaited { wake() }
            guard goesOn else { return false }
            await withCheckedContinuation { feeder in
                let isDone = state.withLock { state in
                    guard state.next != nil, !state.isStopped else { return true }
                    state.feeder = feeder
                    return false
                }
                if isDone { feeder.resume() }
            }
            return state.withLock { !$0.isStopped }
        }

        private func end(_ failure: ServiceError?, wake: @Sendable () -> Void) {
            let isAwaited = state.withLock { state in
                state.hasAll = true
                // A stopped upload has not failed.
                if state.isStopped { return false }
                state.failure = failure
                if let count, state.fed != count, state.failure == nil {
                    state.failure = ServiceError(
                        .encoding, "expected a request body of \(count) bytes, found \(state.fed)")
                }
                return state.isAwaited
            }
            if isAwaited { wake() }
        }
    }
#endif
