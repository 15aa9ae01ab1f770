import ErrandSupport

/// The maximum number of received bytes that the reader of a stream has not read. Only platforms without back-pressure
/// reach it. The default is 64 MiB.
package enum UnreadLimit: RequestOptionKey {
    package static let defaultValue: Int = 64 << 20
}

extension Transfer {
    /// Resumes the caller of `send` with the response. From then on, received bytes go into a pipe. Releasing or stopping
    /// the body ends the transfer.
    func stream(_ head: ResponseHead) {
        let pipe = BodyPipe(
            onDrained: { [weak self] in self?.settle() },
            onStop: { [weak self] in self?.end(.failure(CancellationError())) })
        var body = ResponseBody(
            BodyStream(stop: { pipe.stop() }, end: { self.ending }, open: { { try await self.read(pipe) } }))
        body.codings = ContentCodings(head.headers).unsupported
        let waiter = state.withLock { state -> CheckedContinuation<APIResponse, any Error>? in
            // Later header sections are ignored. A multipart/x-mixed-replace response has one for each part.
            guard !state.ended, state.pipe == nil else { return nil }
            state.head = head
            state.pipe = pipe
            return state.waiter.take()
        }
        guard let waiter else { return }
        watch()
        waiter.resume(returning: APIResponse(head: head, body: body, metrics: metrics))
    }

    /// Ends the stream when the deadline or the idle timeout passes.
    ///
    /// The task is unstructured, because it outlives `send` and works even if no reader exists. Racing in each read
    /// instead would leave a timer for each chunk. The task ends with the transfer, which also ends when the body is
    /// released.
    private func watch() {
        let watch = Task {
            do {
                try await race(request.options.deadline) { throw try await self.silence() }
            } catch {
                end(.failure(error))
            }
        }
        let isLate = state.withLock { state in
            if !state.ended { state.watch = watch }
            return state.ended
        }
        if isLate { watch.cancel() }
    }

    /// Passes a part of the body to the reader, and makes the server wait if the platform can.
    func feed(_ data: Data, to pipe: BodyPipe) {
        state.withLock { $0.account.received += Int64(data.count) }
        if !pipe.write(data) { settle() }
        let limit = request.options[UnreadLimit.self]
        guard pipe.unreadCount > limit else { return }
        let reason =
            "expected at most \(limit) unread bytes, found more: this session cannot make the server wait, "
            + "so read the body faster"
        end(.failure(ServiceError(.bodyTooLarge, reason)))
    }

    private func read(_ pipe: BodyPipe) async throws -> Data? {
        state.withLock { $0.readerWaitsSince = time.now }
        defer { state.withLock { $0.readerWaitsSince = nil } }
        return try await pipe.read()
    }

    /// Suspends the task if the pipe is full, and resumes it otherwise.
    ///
    /// The state of the pipe is read on the serial queue. If it were read earlier, an old decision could run last and
    /// leave the task suspended forever.
    private func settle() {
        guard Platform.canSuspend else { return }
        Self.cancelQueue.async {
            let (task, pipe, isSuspended) = self.state.withLock { ($0.task, $0.pipe, $0.isSuspended) }
            guard let task, let pipe, pipe.isFull != isSuspended else { return }
            self.state.withLock { $0.isSuspended = !isSuspended }
            Platform.suspend(task, !isSuspended)
        }
    }

    private var ending: BodyStream.Ending? {
        state.withLock { $0.isComplete } ? BodyStream.Ending(metrics: metrics) : nil
    }
}
