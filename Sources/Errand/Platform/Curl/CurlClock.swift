#if os(Linux)
    import ErrandSupport
    import CErrandCurl
    import Synchronization

    /// When something last happened on a transfer, and when it has to have ended; all in milliseconds of the monotonic
    /// clock.
    package final class CurlClock: Sendable {
        /// The time at the start of the current iteration of the event loop. Everything in one iteration happens at this time.
        package final class Iteration: Sendable {
            private let moment = Atomic<Int64>(0)

            package var now: Int64 { moment.load(ordering: .relaxed) }

            package init() {}

            package func begin() { moment.store(CurlClock.now, ordering: .relaxed) }

            /// The transfers over TLS whose response headers arrived in this iteration. It is now known whether their connections
            /// multiplex.
            private let headed = Locked<[CurlTransfer]>([])

            func note(_ transfer: CurlTransfer) { headed.withLock { $0.append(transfer) } }

            func takeHeaded() -> [CurlTransfer] {
                headed.withLock { headed in
                    defer { headed = [] }
                    return headed
                }
            }
        }

        /// The longest silence of the server.
        let idle: Int64
        /// The moment at which the call must have ended; `Int64.max` for none.
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
            // The present millisecond has begun already: what is to come must not come too early.
            self.deadline = deadline.map { now + $0.wholeMilliseconds + ($0 > .zero ? 1 : 0) } ?? .max
            last = Atomic(now)
        }

        /// Notes that the transfer has left the queue.
        package func begin() {
            begun.store(iteration.now, ordering: .relaxed)
            touch()
        }

        /// How long the transfer has been in the queue.
        package var queued: Duration { .milliseconds(max(0, begun.load(ordering: .relaxed) - made)) }

        package func touch() { last.store(iteration.now, ordering: .relaxed) }

        package func pause() { isPaused.store(true, ordering: .relaxed) }

        /// Whether it is this end that the transfer waits for.
        package var hasPaused: Bool { isPaused.load(ordering: .relaxed) }

        package func goOn() {
            touch()
            isPaused.store(false, ordering: .relaxed)
        }

        /// The moment at which the transfer is to be looked at next.
        package var due: Int64 {
            isPaused.load(ordering: .relaxed) ? deadline : min(deadline, last.load(ordering: .relaxed) + idle)
        }

        /// What there is to say against waiting on in the queue.
        package func lateness(at now: Int64) -> ServiceError? {
            now >= deadline ? ServiceError(.timeout, "the deadline of the call passed") : nil
        }

        /// What there is to say against going on.
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
