import ErrandSupport

/// One run of an API call that reports its progress. The run is cancelled when it is released.
final class TransferRun<Value: Sendable>: Sendable {
    typealias Work = @Sendable (TransferMeter) async throws(ServiceError) -> Value

    private let time: any TimeSource
    private let interval: Duration
    private let work: Work
    private let mailbox = TransferMailbox<Value>()
    private let task = Locked<Task<Void, Never>?>(nil)

    init(_ time: any TimeSource, _ interval: Duration, _ work: @escaping Work) {
        (self.time, self.interval, self.work) = (time, interval, work)
    }

    deinit { task.withLock { $0 }?.cancel() }

    /// Returns the next event, or `nil` after the value or an error. The first call starts the run.
    nonisolated(nonsending) func next() async throws(ServiceError) -> TransferEvent<Value>? {
        let task = start()
        return try await withTaskCancellationHandler {
            await mailbox.wait()
            return mailbox.take()
        } onCancel: {
            task.cancel()
        }?.get()
    }

    /// An unstructured task, because it runs between two calls of ``next()``. It keeps only the mailbox alive, so that
    /// a run that is not read any longer is released and cancels it.
    private func start() -> Task<Void, Never> {
        task.withLock { task in
            if let task { return task }
            let started = Task { [time, interval, work, mailbox] in
                let meter = TransferMeter()
                let result = await withTaskGroup(of: Result<Value, ServiceError>?.self) { group in
                    defer { group.cancelAll() }
                    group.addTask { await Self.result(of: work, meter) }
                    group.addTask {
                        await Self.report(meter, to: mailbox, every: interval, on: time)
                        return nil
                    }
                    // Only the work has a result.
                    for await result in group { if let result { return result } }
                    return .failure(.cancellation())
                }
                mailbox.finish(result, meter.reading)
            }
            task = started
            return started
        }
    }

    private static func result(of work: Work, _ meter: TransferMeter) async -> Result<Value, ServiceError> {
        do { return .success(try await work(meter)) } catch { return .failure(error) }
    }

    /// Reports the progress until the task is cancelled. A clock that does not wait ends it too.
    private static func report(
        _ meter: TransferMeter, to mailbox: TransferMailbox<Value>, every interval: Duration, on time: any TimeSource
    ) async {
        var rate = TransferRate()
        repeat {
            let reading = meter.reading
            mailbox.put(reading, rate: rate.add(reading, at: time.now))
        } while (try? await time.sleep(until: time.now + interval)) != nil
    }
}

/// Passes the newest progress, and then the result, from a run to its reader.
final class TransferMailbox<Value: Sendable>: Sendable {
    private struct State {
        /// The newest progress that the reader has not taken.
        var progress: TransferProgress?
        /// The last progress that was put.
        var last: TransferProgress?
        var result: Result<Value, ServiceError>?
        var hasEnded = false
        var reader: CheckedContinuation<Void, Never>?

        var isReady: Bool { progress != nil || result != nil || hasEnded }
    }

    private let state = Locked(State())

    /// Puts a progress that differs from the last one in its bytes, or in its rate.
    func put(_ reading: TransferMeter.Reading, rate: Double?) {
        update { state in
            let progress = TransferProgress(completed: reading.completed, total: reading.total, rate: rate)
            guard state.last != progress else { return }
            (state.progress, state.last) = (progress, progress)
        }
    }

    /// Puts the result. If the last bytes were not reported yet, their progress precedes it.
    func finish(_ result: Result<Value, ServiceError>, _ reading: TransferMeter.Reading) {
        update { state in
            state.result = result
            guard case .success = result, let last = state.last else { return }
            guard last.completed != reading.completed || last.total != reading.total else { return }
            state.progress = TransferProgress(completed: reading.completed, total: reading.total, rate: last.rate)
        }
    }

    private func update(_ change: @Sendable (inout State) -> Void) {
        let reader = state.withLock { state in
            change(&state)
            return state.isReady ? state.reader.take() : nil
        }
        reader?.resume()
    }

    /// Waits until there is something to take. After a cancellation, the run itself ends and puts its result.
    nonisolated(nonsending) func wait() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if !state.isReady { state.reader = continuation }
                return state.isReady
            }
            if isReady { continuation.resume() }
        }
    }

    /// Takes the oldest event, or `nil` after the result.
    func take() -> Result<TransferEvent<Value>, ServiceError>? {
        state.withLock { state in
            if let progress = state.progress.take() { return .success(.progress(progress)) }
            guard let result = state.result.take() else { return nil }
            state.hasEnded = true
            return result.map { .finished($0) }
        }
    }
}
