#if os(Linux)
    import ErrandSupport
    import CErrandCurl

    /// Runs transfers. An I/O thread waits for the network, and callers help it.
    ///
    /// A caller that finds the engine free and almost idle runs an iteration itself. Its request is then sent before
    /// the caller suspends, without a thread switch. If there is more to do, the thread is soon awake anyway, commands
    /// are cheaper in batches, and a caller in the engine would keep a core from the code that handles the received
    /// data. Every iteration executes the commands of all callers. No caller therefore waits for the lock longer than
    /// one iteration.
    final class CurlEngine: Sendable {
        /// The number of iterations, after a busy one, during which only the I/O thread drives the engine. An
        /// iteration with more than one command or event is busy. Running transfers do not count, because they may be
        /// streams that are idle for hours.
        private static let crowdedTurns = 16

        private struct Mailbox {
            var commands: [CurlCommand] = []
            /// The number of threads that drive the engine or wait for its lock: the I/O thread, a caller, or briefly
            /// both. Each looks for commands after it has released the lock. Trying the lock instead costs a system
            /// call if it is taken, and another one to unlock it.
            var drivers = 0
            /// The time at which the next iteration is due.
            var due = Int64.max
            /// The time until which the I/O thread sleeps, or `nil` if it is awake.
            var asleepUntil: Int64?
            /// The number of further iterations during which only the I/O thread drives the engine.
            var crowdedTurns = 0

            /// Adds a command. Returns the action for its sender.
            mutating func add(_ command: CurlCommand) -> Action {
                commands.append(command)
                guard drivers == 0, crowdedTurns == 0 else { return handOver() }
                drivers = 1
                return .drive
            }

            /// Leaves the commands to the I/O thread. Returns `nothing` if there are none, or if the thread or the
            /// current driver will see them.
            mutating func handOver() -> Action {
                guard !commands.isEmpty, drivers == 0 else { return .nothing }
                return asleepUntil.take() == nil ? .nothing : .wake
            }
        }

        /// The action for the sender of a command. A sender that is told to drive is already counted as a driver.
        private enum Action { case drive, wake, nothing }

        /// `nil` after ``tearDown()``.
        private let core: Locked<CurlCore?>
        private let mailbox = Locked(Mailbox())
        private let waiter: errand_waiter
        /// The time of the current iteration, for the transfers of this engine.
        let time: CurlClock.Iteration

        /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` if the engine cannot be started.
        init(_ settings: CurlSettings) throws(ServiceError) {
            let core = try CurlCore(settings)
            waiter = core.waiter
            time = core.time
            self.core = Locked(core)
        }

        /// Frees the resources of an engine without a thread, such as the second engine if two first requests created
        /// one each. A thread that wakes the engine holds a reference to it, so the file descriptors are not reused
        /// earlier.
        deinit {
            tearDown()
            errand_waiter_close(waiter)
        }

        private func tearDown() {
            core.withLock { core in
                // When the process exits, nothing is freed, because the TLS library has already freed its tables.
                if errand_library_enter() {
                    core?.tearDown()
                    errand_library_leave()
                }
                core = nil
            }
        }

        /// Starts the I/O thread. It ends after ``close()``.
        func start() {
            let thread = Thread { self.run() }
            thread.name = "errand.curl"
            thread.start()
        }

        /// Lets the I/O thread end when the last transfer has ended.
        func close() { send(.close) }

        /// Runs a transfer until its body is complete or, if it is streamed, until its header section has arrived.
        /// - Throws: ``ServiceError``, or `CancellationError`.
        func perform(_ transfer: CurlTransfer) async throws -> CurlTransfer.Received {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { waiter in
                    if transfer.begin(waiter) { send(.start(transfer)) }
                }
            } onCancel: {
                stop(transfer)
            }
        }

        /// Ends a transfer for its caller at once, and removes it from libcurl.
        func stop(_ transfer: CurlTransfer) {
            if transfer.end(CancellationError()) { send(.stop(transfer)) }
        }

        /// Sends a command. The caller drives a free engine, but only for one iteration, because it has other work.
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

        /// Runs one iteration. The caller holds the lock, so `due` is always that of the last iteration.
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

        /// Ends every transfer for its caller, because an `atexit` handler of the program may wait for one.
        private static func abandon(_ core: CurlCore?, _ commands: [CurlCommand]) {
            let error = ServiceError(.transport, "the process is exiting, and its connections are closed")
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

        /// Stops driving. Returns the number of milliseconds for which the thread may wait, or -1 for no limit.
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
