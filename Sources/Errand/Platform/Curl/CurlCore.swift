#if os(Linux)
    import CErrandCurl

    /// What the callers of an engine ask of it.
    enum CurlCommand: Sendable {
        case start(CurlTransfer)
        case stop(CurlTransfer)
        case goOn(CurlTransfer)
        case close
    }

    /// How an exchange ended on the wire.
    struct CurlOutcome: Sendable {
        var failure: ServiceError?
        var metrics = TransportMetrics()
    }

    /// The state of an engine: libcurl's multi handle, the transfers on it, those that wait. One thread at a time has it.
    struct CurlCore {
        private struct Running {
            let transfer: CurlTransfer
            let handle: OpaquePointer
        }

        /// The most handles that are kept for the next requests; each has some 100 kB of buffers while it is in use.
        private static let mostIdle = 64
        /// How often one turn looks for more to do before it lets others have theirs.
        private static let mostRounds = 64

        let waiter: errand_waiter
        let time = CurlClock.Iteration()
        private let engine: OpaquePointer
        private let settings: CurlSettings
        private var idle: [OpaquePointer] = []
        private var running: [ObjectIdentifier: Running] = [:]
        private var waiting: [ObjectIdentifier: CurlTransfer] = [:]
        private var queue: ConnectionQueue<ObjectIdentifier>
        /// When transfers are to be looked at for their time-outs.
        private var nextCheck = Int64.max
        private var isClosing = false

        /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` where the system has no descriptors left.
        init(_ settings: CurlSettings) throws(ServiceError) {
            guard let engine = errand_engine_new(settings.limit, settings.limitPerHost) else {
                throw ServiceError(
                    .configuration, "the transport could not be started: descriptors or memory are used up")
            }
            self.engine = engine
            self.settings = settings
            waiter = errand_engine_waiter(engine)
            queue = ConnectionQueue(limitPerOrigin: settings.limitPerOrigin, limit: settings.limit)
        }

        /// Ends every transfer for its caller, without libcurl.
        func endAll(with error: ServiceError) {
            for transfer in running.values.map(\.transfer) + waiting.values { _ = transfer.end(error) }
        }

        /// Whether it was closed and nothing is left to do.
        var isDone: Bool { isClosing && running.isEmpty && waiting.isEmpty }

        /// Frees what libcurl holds. The last thing that is called.
        mutating func tearDown() {
            let signals = Self.holdSignals()
            defer { errand_signals_release(signals) }
            for handle in idle { errand_transfer_free(handle) }
            idle = []
            errand_engine_free(engine)
        }

        /// Obeys commands, lets libcurl act on events and on the time, and ends what has ended.
        ///
        /// - Returns: The moment at which it wants the next turn.
        mutating func turn(_ commands: [CurlCommand], _ events: some Collection<errand_event>) -> Int64 {
            let signals = Self.holdSignals()
            defer { errand_signals_release(signals) }
            time.begin()
            for command in commands { obey(command) }
            for event in events {
                errand_engine_act(engine, event)
                learn()
                // One by one: who waits for the first has a core to go on with, while this one sees to the next.
                takeOffEnded()
            }
            var round = 0
            var hasMore = true
            while hasMore, round < Self.mostRounds {
                hasMore = errand_engine_tick(engine, time.now)
                learn()
                if takeOffEnded() { hasMore = true }
                round += 1
            }
            if nextCheck <= time.now { checkTimes() }
            return min(errand_engine_due(engine), nextCheck)
        }
    }

    extension CurlCore {
        /// Blocks SIGPIPE if libcurl does not, so that a write to a closed connection does not end the process.
        private static func holdSignals() -> errand_signals {
            errand_curl_writes_quietly() ? errand_signals() : errand_signals_hold()
        }

        private mutating func obey(_ command: CurlCommand) {
            switch command {
            case .start(let transfer):
                let id = ObjectIdentifier(transfer)
                if queue.enter(id, transfer.request.origin) {
                    if !begins(transfer) { begin(queue.leave(transfer.request.origin, id)) }
                } else {
                    waiting[id] = transfer
                    nextCheck = min(nextCheck, transfer.clock.deadline)
                }
            case .stop(let transfer): takeOff(transfer)
            case .goOn(let transfer):
                guard let handle = running[ObjectIdentifier(transfer)]?.handle else { return }
                transfer.clock.goOn()
                nextCheck = min(nextCheck, transfer.clock.due)
                errand_transfer_unpause(handle)
            case .close: isClosing = true
            }
        }

        /// Begins those whose turn it is, and those who follow one that can't begin: without a call within a call, as
        /// there may be very many.
        private mutating func begin(_ tickets: [ObjectIdentifier]) {
            var tickets = tickets[...]
            while let ticket = tickets.popFirst() {
                guard let transfer = waiting.removeValue(forKey: ticket), !begins(transfer) else { continue }
                tickets += queue.leave(transfer.request.origin, ticket)
            }
        }

        /// Puts a transfer onto the wire, whose place in the queue is taken; false where it has ended instead.
        private mutating func begins(_ transfer: CurlTransfer) -> Bool {
            do throws(ServiceError) {
                if transfer.hasEnded { throw ServiceError.cancellation() }
                let handle = if let used = idle.popLast() { used } else { try settings.makeHandle() }
                let owner = Unmanaged.passUnretained(transfer).toOpaque()
                guard transfer.request.prepare(handle, owner: owner), errand_engine_add(engine, handle) else {
                    errand_transfer_free(handle)
                    throw ServiceError(.encoding, "libcurl refuses the request")
                }
                transfer.clock.begin()
                running[ObjectIdentifier(transfer)] = Running(transfer: transfer, handle: handle)
                nextCheck = min(nextCheck, transfer.clock.due)
                return true
            } catch {
                transfer.complete(CurlOutcome(failure: error))
                return false
            }
        }

        /// Takes a transfer off the wire, or out of the queue.
        private mutating func takeOff(_ transfer: CurlTransfer) {
            let id = ObjectIdentifier(transfer)
            if waiting.removeValue(forKey: id) != nil {
                _ = queue.abandon(id, transfer.request.origin)
            } else if let entry = running.removeValue(forKey: id) {
                errand_engine_remove(engine, entry.handle)
                recycle(entry.handle, hasSucceeded: false)
                begin(queue.leave(transfer.request.origin, id))
            }
        }

        /// Keeps the handle of a transfer for the next request, or frees it.
        private mutating func recycle(_ handle: OpaquePointer, hasSucceeded: Bool) {
            // The verification result of an https proxy stays in a handle until its next handshake with one. A later transfer
            // without a proxy would report it as the reason of its own failure.
            let mayHaveOldResult = settings.mayHaveTLSProxy && !hasSucceeded
            if errand_curl_reuses_handles(), !mayHaveOldResult, idle.count < Self.mostIdle {
                idle.append(handle)
            } else {
                errand_transfer_free(handle)
            }
        }

        /// Learns from the heads that have come which origins multiplex, and that connections stand.
        private mutating func learn() {
            for transfer in time.takeHeaded() {
                let id = ObjectIdentifier(transfer)
                guard let handle = running[id]?.handle else { continue }
                let report = CurlReport(handle)
                begin(queue.learn(transfer.request.origin, multiplexes: report.multiplexes))
                if report.newConnections > 0 { begin(queue.opened(transfer.request.origin, by: id)) }
            }
        }

        /// Takes the transfers off the wire that libcurl reports, and lets their callers go on; false where there are none.
        @discardableResult
        private mutating func takeOffEnded() -> Bool {
            var code: Int32 = 0
            var hasEnded = false
            while let owner = errand_engine_next_ended(engine, &code) {
                hasEnded = true
                let transfer = Unmanaged<CurlTransfer>.fromOpaque(owner).takeUnretainedValue()
                let id = ObjectIdentifier(transfer)
                guard let entry = running.removeValue(forKey: id) else { continue }
                let origin = transfer.request.origin
                let report = CurlReport(entry.handle)
                let isSecure = transfer.request.isSecure
                let hasSucceeded = code == ERRAND_CURLE_OK
                let failure =
                    hasSucceeded ? nil : report.failure(Int(code), of: entry.handle, isSecure: isSecure).error
                errand_engine_remove(engine, entry.handle)
                // The connection may have ended for other transfers too.
                if failure != nil, settings.offersHTTP2 { errand_engine_read_again(engine, entry.handle) }
                recycle(entry.handle, hasSucceeded: hasSucceeded)
                let metrics = report.metrics(queued: transfer.clock.queued)
                transfer.complete(CurlOutcome(failure: failure, metrics: metrics))
                // A server without TLS may claim what it likes.
                let multiplexes = report.multiplexes && isSecure
                if failure == nil { begin(queue.learn(origin, multiplexes: multiplexes)) }
                begin(queue.leave(origin, id, hasOpened: failure == nil && report.newConnections > 0))
            }
            return hasEnded
        }

        private mutating func checkTimes() {
            let now = time.now
            nextCheck = .max
            let all = running.values.map(\.transfer) + waiting.values
            for transfer in all {
                let isWaiting = waiting[ObjectIdentifier(transfer)] != nil
                let complaint = isWaiting ? transfer.clock.lateness(at: now) : transfer.clock.complaint(at: now)
                if let complaint {
                    _ = transfer.end(complaint)
                    takeOff(transfer)
                } else {
                    nextCheck = min(nextCheck, isWaiting ? transfer.clock.deadline : transfer.clock.due)
                }
            }
        }
    }

    extension CurlRequest {
        /// Sets a handle up for this request; false where libcurl refuses a value.
        fileprivate func prepare(_ handle: OpaquePointer, owner: UnsafeMutableRawPointer) -> Bool {
            url.withCString { url in
                method.withCString { method in
                    lines.withUnsafeBytes { lines in
                        var request = errand_request(
                            url: url, target_start: targetStart, method: method,
                            lines: lines.baseAddress?.assumingMemoryBound(to: CChar.self),
                            line_bytes: lines.count, has_body: hasBody,
                            body_count: bodyCount ?? Int64(ERRAND_UNKNOWN_COUNT),
                            has_late_body: hasLateBody, may_repeat: mayRepeat, fresh_connection: isFresh,
                            is_loopback: origin.isLoopback)
                        return errand_transfer_prepare(handle, &request, owner)
                    }
                }
            }
        }
    }
#endif
