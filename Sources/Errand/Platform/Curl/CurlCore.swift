#if os(Linux)
    import CErrandCurl

    /// A command from a caller to an engine.
    enum CurlCommand: Sendable {
        case start(CurlTransfer)
        case stop(CurlTransfer)
        case resume(CurlTransfer)
        case close
    }

    /// The result of a transfer, as libcurl reports it.
    struct CurlOutcome: Sendable {
        var failure: ServiceError?
        var metrics = TransportMetrics()
    }

    /// The state of an engine: libcurl's multi handle, and the transfers. Only one thread at a time uses it.
    struct CurlCore {
        private struct Running {
            let transfer: CurlTransfer
            let handle: OpaquePointer
            /// Whether the queue knows that this transfer has opened a connection.
            var hasOpened = false
        }

        /// The maximum number of handles that are kept for reuse. A handle in use has about 100 kB of buffers.
        private static let maximumIdle = 64
        /// The maximum number of rounds in one iteration. It limits how long one thread holds the engine.
        private static let maximumRounds = 64

        let waiter: errand_waiter
        let time = CurlClock.Iteration()
        private let engine: OpaquePointer
        private let settings: CurlSettings
        private var idle: [OpaquePointer] = []
        private var running: [ObjectIdentifier: Running] = [:]
        private var waiting: [ObjectIdentifier: CurlTransfer] = [:]
        private var queue: ConnectionQueue<ObjectIdentifier>
        /// The requests that test whether a multiplexed connection has room, until they are sent.
        private var probes: [CurlTransfer] = []
        /// The time of the next timeout check.
        private var nextCheck = Int64.max
        private var isClosing = false

        /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` if file descriptors or memory run out.
        init(_ settings: CurlSettings) throws(ServiceError) {
            // Older versions do not tell when a request is sent, so that no other number could be learned.
            let streams =
                errand_curl_announces_requests() ? StreamCapacity.maximumStreams : StreamCapacity.initialStreams
            guard let engine = errand_engine_new(settings.limit, settings.limitPerHost, streams) else {
                throw ServiceError(
                    .configuration, "cannot start libcurl: no file descriptors or no memory left")
            }
            self.engine = engine
            self.settings = settings
            waiter = errand_engine_waiter(engine)
            queue = ConnectionQueue(limitPerOrigin: settings.limitPerOrigin, limit: settings.limit)
        }

        /// Ends every transfer for its caller, without a call to libcurl.
        func endAll(with error: ServiceError) {
            for transfer in running.values.map(\.transfer) + waiting.values { _ = transfer.end(error) }
        }

        /// Whether the engine was closed and all transfers have ended.
        var isDone: Bool { isClosing && running.isEmpty && waiting.isEmpty }

        /// Frees the resources of libcurl. No other method may be called afterwards.
        mutating func tearDown() {
            let signals = Self.holdSignals()
            defer { errand_signals_release(signals) }
            for handle in idle { errand_transfer_free(handle) }
            idle = []
            errand_engine_free(engine)
        }

        /// Runs one iteration: executes commands, lets libcurl act on events and timers, and ends complete transfers.
        ///
        /// - Returns: The time at which the next iteration is due.
        mutating func turn(_ commands: [CurlCommand], _ events: some Collection<errand_event>) -> Int64 {
            let signals = Self.holdSignals()
            defer { errand_signals_release(signals) }
            time.begin()
            for command in commands { obey(command) }
            for event in events {
                errand_engine_act(engine, event)
                time.deliver()
                learn()
                // Resumes callers after each event, so that they run on another core during the next event.
                takeOffEnded()
                learnFromProbes()
            }
            var round = 0
            var hasMore = true
            while hasMore, round < Self.maximumRounds {
                hasMore = errand_engine_tick(engine, time.now)
                learn()
                if takeOffEnded() { hasMore = true }
                learnFromProbes()
                round += 1
            }
            if nextCheck <= time.now { checkTimes() }
            // Commands, timers and the end of another transfer on the same connection can deliver bytes, too.
            time.deliver()
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
            case .resume(let transfer):
                guard let handle = running[ObjectIdentifier(transfer)]?.handle else { return }
                transfer.clock.resume()
                nextCheck = min(nextCheck, transfer.clock.due)
                errand_transfer_unpause(handle)
            case .close: isClosing = true
            }
        }

        /// Starts the transfers with the given tickets, and those that the queue admits after a transfer that cannot
        /// start. A loop, because there may be too many for recursion.
        private mutating func begin(_ tickets: [ObjectIdentifier]) {
            var tickets = tickets[...]
            while let ticket = tickets.popFirst() {
                guard let transfer = waiting.removeValue(forKey: ticket), !begins(transfer) else { continue }
                tickets += queue.leave(transfer.request.origin, ticket)
            }
        }

        /// Adds a transfer that the queue has admitted to libcurl. Returns `false` if the transfer has ended instead.
        private mutating func begins(_ transfer: CurlTransfer) -> Bool {
            do throws(ServiceError) {
                if transfer.hasEnded { throw ServiceError.cancellation() }
                let handle = if let used = idle.popLast() { used } else { try settings.makeHandle() }
                let owner = Unmanaged.passUnretained(transfer).toOpaque()
                guard transfer.request.prepare(handle, owner: owner), errand_engine_add(engine, handle) else {
                    errand_transfer_free(handle)
                    throw ServiceError(.encoding, "libcurl rejected the request")
                }
                transfer.clock.begin()
                let id = ObjectIdentifier(transfer)
                running[id] = Running(transfer: transfer, handle: handle)
                if errand_curl_announces_requests(), queue.isProbe(id, transfer.request.origin) {
                    probes.append(transfer)
                }
                nextCheck = min(nextCheck, transfer.clock.due)
                return true
            } catch {
                transfer.complete(CurlOutcome(failure: error))
                return false
            }
        }

        /// Removes a transfer from libcurl or from the queue.
        private mutating func takeOff(_ transfer: CurlTransfer) {
            let id = ObjectIdentifier(transfer)
            if waiting.removeValue(forKey: id) != nil {
                _ = queue.abandon(id, transfer.request.origin)
            } else if let entry = running.removeValue(forKey: id) {
                let hasOpened =
                    settings.offersHTTP2 && !entry.hasOpened && CurlReport(entry.handle).newConnections > 0
                errand_engine_remove(engine, entry.handle)
                recycle(entry.handle, hasSucceeded: false)
                begin(queue.leave(transfer.request.origin, id, hasOpened: hasOpened))
            }
        }

        /// Keeps the handle of a transfer for the next request, or frees it.
        private mutating func recycle(_ handle: OpaquePointer, hasSucceeded: Bool) {
            // The verification result of an https proxy stays in a handle until its next handshake with such a proxy.
            // A later transfer without a proxy would report it as the reason of its failure.
            let mayHaveOldResult = settings.mayHaveTLSProxy && !hasSucceeded
            if errand_curl_reuses_handles(), !mayHaveOldResult, idle.count < Self.maximumIdle {
                idle.append(handle)
            } else {
                errand_transfer_free(handle)
            }
        }

        /// Updates the queue from the header sections that have arrived: multiplexing, and open connections.
        private mutating func learn() {
            for transfer in time.takeHeaded() {
                let id = ObjectIdentifier(transfer)
                guard let handle = running[id]?.handle else { continue }
                let report = CurlReport(handle)
                begin(queue.learn(transfer.request.origin, multiplexes: report.multiplexes))
                if report.newConnections > 0, running[id]?.hasOpened == false {
                    running[id]?.hasOpened = true
                    begin(queue.opened(transfer.request.origin, by: id, isFresh: transfer.request.isFresh))
                }
            }
        }

        /// Updates the queue from the probes that were sent. Those that opened a connection are noted again when the header
        /// section arrives, because libcurl knows the server's limit by then.
        private mutating func learnFromProbes() {
            guard !probes.isEmpty else { return }
            let present = probes
            probes = []
            for transfer in present {
                let (id, origin) = (ObjectIdentifier(transfer), transfer.request.origin)
                guard let handle = running[id]?.handle, queue.isProbe(id, origin) else { continue }
                if !errand_transfer_is_sent(handle) {
                    probes.append(transfer)
                } else if CurlReport(handle).newConnections == 0 {
                    begin(queue.shared(origin, by: id))
                } else {
                    begin(queue.sent(origin, by: id))
                }
            }
        }

        /// Removes the transfers that have ended, and resumes their callers. Returns `false` if there were none.
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
                // The same connection may have ended for other transfers too.
                if failure != nil, settings.offersHTTP2 { errand_engine_read_again(engine, entry.handle) }
                recycle(entry.handle, hasSucceeded: hasSucceeded)
                let metrics = report.metrics(queued: transfer.clock.queued)
                transfer.complete(CurlOutcome(failure: failure, metrics: metrics))
                // Without TLS, HTTP/2 is not offered, so a server that claims it is not believed.
                let multiplexes = report.multiplexes && isSecure
                if failure == nil { begin(queue.learn(origin, multiplexes: multiplexes)) }
                if failure == nil, multiplexes, !entry.hasOpened, report.newConnections > 0 {
                    begin(queue.opened(origin, by: id, isFresh: transfer.request.isFresh))
                }
                begin(queue.leave(origin, id, isReusable: failure == nil))
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
        /// Prepares a handle for this request. Returns `false` if libcurl rejects a value.
        fileprivate func prepare(_ handle: OpaquePointer, owner: UnsafeMutableRawPointer) -> Bool {
            url.withCString { url in
                method.withCString { method in
                    lines.withUnsafeBytes { lines in
                        var request = errand_request(
                            url: url, target_start: targetStart, method: method,
                            lines: lines.baseAddress?.assumingMemoryBound(to: CChar.self),
                            line_bytes: lines.count, has_body: hasBody,
                            body_count: bodyCount ?? Int64(ERRAND_UNKNOWN_COUNT),
                            has_late_body: hasLateBody, may_retry: isRetryable, fresh_connection: isFresh,
                            is_streamed: isStreamed, is_loopback: origin.isLoopback)
                        return errand_transfer_prepare(handle, &request, owner)
                    }
                }
            }
        }
    }
#endif
