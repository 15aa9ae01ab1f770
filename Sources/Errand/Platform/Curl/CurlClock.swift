#if os(Linux)
    import ErrandSupport
    import CErrandCurl
    import Synchronization

    /// The last activity and the deadline of a transfer, in milliseconds of the monotonic clock.
    package final class CurlClock: Sendable {
        /// The time at which the current iteration of the event loop began. It is the time of every event in it.
        package final class Iteration: Sendable {
            private let moment = Atomic<Int64>(0)

            package var now: Int64 { moment.load(ordering: .relaxed) }

            package init() {}

            package func begin() { moment.store(CurlClock.now, ordering: .relaxed) }

            /// The transfers over TLS that received their response headers in this iteration. It is now known whether
            /// their connections multiplex.
            private let headed = Locked<[CurlTransfer]>([])

            func note(_ transfer: CurlTransfer) { headed.withLock { $0.append(transfer) } }

            func takeHeaded() -> [CurlTransfer] {
                headed.withLock { headed in
                    defer { headed = [] }
                    return headed
                }
            }

            /// The pipes with a waiting reader that received bytes in this iteration.
            private let filled = Locked<[BodyPipe]>([])

            func note(_ pipe: BodyPipe) { filled.withLock { $0.append(pipe) } }

            /// Resumes the readers of the bytes that have arrived.
            func deliver() {
                let pipes = filled.withLock { filled in
                    defer { filled = [] }
                    return filled
                }
                for pipe in pipes { pipe.deliver() }
            }
        }

        /// The idle timeout.
        let idle: Int64
        /// The deadline of the call, or `Int64.max` if it has none.
        package let deadline: Int64
        let iteration: Iteration
        private let made: Int64
        private let begun = Atomic<Int64>(0)
        private let last: Atomic<Int64>
        private let isPaused = Atomic(false)

        package static var now: Int64 { errand_milliseconds() }

        package init(idle: Duration, deadline: Duration?, iteration: Iteration) {
            let now = Self.now
            made = now
            self.iteration = iteration
            self.idle = idle.wholeMilliseconds
            // The current millisecond has already begun. Without one more, the deadline could pass too early.
            self.deadline = deadline.map { now + $0.wholeMilliseconds + ($0 > .zero ? 1 : 0) } ?? .max
            last = Atomic(now)
        }

        /// Notes that the transfer has left the queue.
        package func begin() {
            begun.store(iteration.now, ordering: .relaxed)
            touch()
        }

        /// The time that the transfer spent in the queue.
        package var queued: Duration { .milliseconds(max(0, begun.load(ordering: .relaxed) - made)) }

        package func touch() { last.store(iteration.now, ordering: .relaxed) }

        package func pause() { isPaused.store(true, ordering: .relaxed) }

        /// Whether the transfer waits for the reader of the response body, or for the source of the request body.
        package var hasPaused: Bool { isPaused.load(ordering: .relaxed) }

        package func resume() {
            touch()
            isPaused.store(false, ordering: .relaxed)
        }

        /// The time of the next timeout check.
        package var due: Int64 {
            isPaused.load(ordering: .relaxed) ? deadline : min(deadline, last.load(ordering: .relaxed) + idle)
        }

        /// Returns the timeout error of a waiting transfer, or `nil` if its deadline has not passed.
        package func lateness(at now: Int64) -> ServiceError? {
            now >= deadline ? ServiceError(.timeout, "the deadline of the call passed") : nil
        }

        /// Returns the timeout error of a running transfer, or `nil` before its deadline and its idle timeout.
        package func complaint(at now: Int64) -> ServiceError? {
            if let lateness = lateness(at: now) { return lateness }
            guard now >= due else { return nil }
            return ServiceError(.timeout, "no part of the response arrived for \(Duration.milliseconds(idle))")
        }
    }

    extension Duration {
        /// This duration in milliseconds, rounded up, within 0 and a hundred years.
        package var wholeMilliseconds: Int64 {
            guard self > .zero else { return 0 }
            guard self < .seconds(3_155_760_000) else { return 3_155_760_000_000 }
            let (seconds, attoseconds) = components
            return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        }
    }
#endif
