#if os(Linux)
    import ErrandSupport
    import CErrandCurl

    /// Runs transfers: one thread that waits for the network, and whoever asks for something.
    ///
    /// A caller that finds the engine free and with next to nothing to do drives it itself: its request is on the wire before it
    /// suspends, without a switch of threads. With more to do the thread is soon awake anyway, commands are cheaper in batches,
    /// and a caller that drives would keep a core from what has arrived. Whoever drives obeys everybody's commands, so that
    /// nobody waits for the lock longer than for one turn.
    final class CurlEngine: Sendable {
        /// For so many turns after one that had more than one thing to do the thread alone drives. What counts is what there
        /// is to do, not what is under way: that may be streams which are quiet for hours.
        private static let crowdedTurns = 16

        private struct Mailbox {
            var commands: [CurlCommand] = []
            /// How many drive, or wait until they may: the thread, a caller, or for a moment both. Each looks for commands
            /// when it has let go. To try the lock instead is a system call where it is taken, and one more to unlock it.
            var drivers = 0
            /// When the driver wants to be called again.
            var due = Int64.max
            /// Until when the thread waits; nil where it does not.
            var asleepUntil: Int64?
            /// The turns for which the thread alone drives.
            var crowdedTurns = 0

            /// Takes a command; what its sender is to do.
            mutating func add(_ command: CurlCommand) -> Action {
                commands.append(command)
                guard drivers == 0, crowdedTurns == 0 else { return handOver() }
                drivers = 1
                return .drive
            }

            /// Leaves the commands that are here to the thread: nothing is to be done where it, or who drives, will see them.
            mutating func handOver() -> Action {
                guard !commands.isEmpty, drivers == 0 else { return .nothing }
                return asleepUntil.take() == nil ? .nothing : .wake
            }
        }

        /// Whoever is to drive is counted as a driver already.
        private enum Action { case drive, wake, nothing }

        /// Nil once it was closed.
        private let core: Locked<CurlCore?>
        private let mailbox = Locked(Mailbox())
        private let waiter: errand_waiter
        /// The time, for the transfers that this engine runs.
        let time: CurlClock.Iteration

        /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` where it can't be started.
        init(_ settings: CurlSettings) throws(ServiceError) {
            let core = try CurlCore(settings)
            waiter = core.waiter
            time = core.time
            self.core = Locked(core)
        }

        /// Without a thread, as when two first requests made an engine each, nobody else frees what it holds. Whoever wakes
        /// it holds it, so that the descriptors are nobody else's until here.
        deinit {
            tearDown()
            errand_waiter_close(waiter)
        }

        private func tearDown() {
            core.withLock { core in
                // At the end of the process nothing is freed: TLS is gone.
                if errand_library_enter() {
                    core?.tearDown()
                    errand_library_leave()
                }
                core = nil
            }
        }

        /// Starts the thread; it ends after ``close()``.
        func start() {
            let thread = Thread { self.run() }
            thread.name = "errand.curl"
            thread.start()
        }

        /// Lets the thread end when what is under way has ended.
        func close() { send(.close) }

        /// Carries a transfer out, until its body is there or, where it is streamed, its head.
        /// - Throws: ``ServiceError``, or `CancellationError`.
        func perform(_ transfer: CurlTransfer) async throws -> CurlTransfer.Answer {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { waiter in
                    if transfer.begin(waiter) { send(.start(transfer)) }
                }
            } onCancel: {
                stop(transfer)
            }
        }

        /// Ends a transfer for its caller at once, and takes it off the wire.
        func stop(_ transfer: CurlTransfer) {
            if transfer.end(CancellationError()) { send(.stop(transfer)) }
        }

        /// Gives a command, and drives where nobody does: for one turn, as who asks for something has more to do.
        func send(_ command: CurlCommand) {
            var action = mailbox.withLock { $0.add(command) }
            if case .drive = action {
                core.withLock { drive(&$0, []) }
                action = mailbox.withLock { mailbox in
                    mailbox.drivers -= 1
                    return mailbox.handOver()
                }
            }
            if case .wake = action { errand_wake(waiter) }
        }

        /// Takes a turn. The lock is held, so that the moment noted last is that of the last turn.
        private func drive(_ core: inout CurlCore?, _ events: some Collection<errand_event>) {
            let isUsable = errand_library_enter()
            defer { if isUsable { errand_library_leave() } }
            let commands = mailbox.withLock { mailbox in
                defer { mailbox.commands.removeAll(keepingCapacity: true) }
                return mailbox.commands
            }
            guard isUsable else { return Self.abandon(core, commands) }
            guard let due = core?.turn(commands, events) else { return }
            let isLate = mailbox.withLock { mailbox in
                mailbox.due = due
                let isCrowded = commands.count + events.count > 1
                mailbox.crowdedTurns = isCrowded ? Self.crowdedTurns : max(0, mailbox.crowdedTurns - 1)
                guard let end = mailbox.asleepUntil, due < end else { return false }
                mailbox.asleepUntil = due
                return true
            }
            if isLate || core?.isDone == true { errand_wake(waiter) }
        }

        /// Ends every transfer for its caller: an `atexit` handler of the program may wait for one.
        private static func abandon(_ core: CurlCore?, _ commands: [CurlCommand]) {
            let error = ServiceError(.transport, "the process is ending, and its connections are closed")
            for case .start(let transfer) in commands { _ = transfer.end(error) }
            core?.endAll(with: error)
        }

        private func run() {
            var events = [errand_event](repeating: errand_event(), count: 64)
            var (isDone, patience) = (false, Int32(0))
            while !isDone {
                let count = errand_wait(waiter, patience, &events, Int32(events.count))
                mailbox.withLock { ($0.asleepUntil, $0.drivers) = (nil, $0.drivers + 1) }
                let ready = events.prefix(Int(max(0, count)))
                isDone = core.withLock { core in
                    drive(&core, ready)
                    return core?.isDone ?? true || errand_library_has_ended()
                }
                patience = timeToSleep()
            }
            tearDown()
            errand_library_end_thread()
        }

        /// Lets go, and says how many milliseconds the thread may wait; -1 for ever.
        private func timeToSleep() -> Int32 {
            mailbox.withLock { mailbox in
                mailbox.drivers -= 1
                guard mailbox.commands.isEmpty else { return 0 }
                mailbox.asleepUntil = mailbox.due
                guard mailbox.due < .max else { return Int32(ERRAND_NO_TIMEOUT) }
                return Int32(clamping: max(0, mailbox.due - CurlClock.now))
            }
        }
    }
#endif
