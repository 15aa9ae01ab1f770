#if os(Linux)
    import ErrandSupport
    import CErrandCurl

    /// The body of a request on its way out: from memory, or fed part by part as libcurl asks for it.
    package final class CurlUpload: Sendable {
        private struct State {
            var unsent = Data()
            var offset = 0
            var fed: Int64 = 0
            var hasAll = false
            var failure: ServiceError?
            /// Who feeds, while there is nothing to feed.
            var feeder: CheckedContinuation<Void, Never>?
            /// Whether libcurl was told that there is nothing yet.
            var isAwaited = false
            var isStopped = false
            var feeding: Task<Void, Never>?
            /// Makes libcurl ask again; it holds the transfer, and is dropped with the feeding.
            var wake: (@Sendable () -> Void)?
        }

        /// How many bytes come; nil where that is unknown.
        package let count: Int64?
        private let canRewind: Bool
        private let state: Locked<State>

        /// Bytes in memory.
        package init(_ data: Data, canRewind: Bool) {
            count = Int64(data.count)
            self.canRewind = canRewind
            state = Locked(State(unsent: data, fed: Int64(data.count), hasAll: true))
        }

        /// Bytes that are fed.
        package init(count: Int64?) {
            self.count = count
            canRewind = false
            state = Locked(State())
        }

        /// Why the source failed, where it did.
        package var failure: ServiceError? { state.withLock { $0.failure } }

        /// What libcurl is told: a number of bytes, 0 at the end, or that there are none yet or never will be.
        package enum Given {
            package static let none: Int64 = .init(ERRAND_READ_LATER)
            package static let failed: Int64 = .init(ERRAND_READ_FAILED)
        }

        /// Gives bytes to libcurl.
        package func read(into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int64 {
            let (given, feeder) = state.withLock { state -> (Int64, CheckedContinuation<Void, Never>?) in
                if state.failure != nil || state.isStopped { return (Given.failed, nil) }
                let part = min(bytes.count, state.unsent.count - state.offset)
                if part > 0 {
                    let start = state.unsent.startIndex + state.offset
                    state.unsent.copyBytes(to: bytes, from: start..<(start + part))
                    state.offset += part
                    return (Int64(part), state.offset == state.unsent.count ? state.feeder.take() : nil)
                }
                if state.hasAll { return (0, nil) }
                state.isAwaited = true
                return (Given.none, state.feeder.take())
            }
            feeder?.resume()
            return given
        }

        /// Goes back to the first byte, where that is allowed and possible.
        package func rewind() -> Bool {
            state.withLock { state in
                guard canRewind else { return false }
                state.offset = 0
                return true
            }
        }

        /// Ends the feeding.
        package func stop() {
            let (feeder, feeding) = state.withLock { state in
                state.isStopped = true
                state.wake = nil
                return (state.feeder.take(), state.feeding.take())
            }
            feeding?.cancel()
            feeder?.resume()
        }

        /// Starts feeding a body; `wake` is called when libcurl waits for what has come.
        ///
        /// Unstructured, as the answer's head may be returned while the body is still on its way; ``stop()`` ends it.
        package func start(feeding body: RequestBody, wake: @escaping @Sendable () -> Void) {
            let feeding = Task { await feed(body, wake: wake) }
            let isStopped = state.withLock { state in
                state.feeding = feeding
                if !state.isStopped { state.wake = wake }
                return state.isStopped
            }
            if isStopped { feeding.cancel() }
        }

        /// Notes that the server has answered before all of the body was sent, or that its refusal is whole.
        ///
        /// libcurl stops sending what was refused, but notices that only when it is not waiting for the source; and
        /// where the connection is to be closed it goes on for ever, so that it is given no more.
        func hear(isWhole: Bool) {
            let wake = state.withLock { state in
                if isWhole { state.isStopped = true }
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

        /// Gives one part and waits until it has been sent. False where no more are wanted.
        private nonisolated(nonsending) func give(_ part: Data, wake: @Sendable () -> Void) async -> Bool {
            guard !part.isEmpty else { return true }
            let (isAwaited, goesOn) = state.withLock { state in
                state.fed += Int64(part.count)
                if let count, state.fed > count {
                    state.failure = ServiceError(.encoding, "the body has more than the \(count) bytes announced")
                }
                state.unsent = part
                state.offset = 0
                defer { state.isAwaited = false }
                return (state.isAwaited, state.failure == nil && !state.isStopped)
            }
            if isAwaited { wake() }
            guard goesOn else { return false }
            await withCheckedContinuation { feeder in
                let isDone = state.withLock { state in
                    guard state.offset < state.unsent.count, !state.isStopped else { return true }
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
                // What was told to stop has not failed.
                if state.isStopped { return false }
                state.failure = failure
                if let count, state.fed != count, state.failure == nil {
                    state.failure = ServiceError(
                        .encoding, "the body has \(state.fed) bytes, not the \(count) announced")
                }
                return state.isAwaited
            }
            if isAwaited { wake() }
        }
    }
#endif
