import ErrandSupport

/// The most bytes of a stream that may lie unread where the platform can't make the server wait: 64 MB.
package enum UnreadLimit: RequestOptionKey {
    package static let defaultValue: Int = 64 << 20
}

/// Bodies that are read while they arrive.
extension Transfer {
    /// Returns at the head: from here on the bytes go into a pipe, and who holds its other end decides about the transfer.
    func stream(_ head: ResponseHead) {
        let pipe = BodyPipe(
            onDrained: { [weak self] in self?.settle() },
            onStop: { [weak self] in self?.end(.failure(CancellationError())) })
        var body = ResponseBody(
            BodyStream(stop: { pipe.stop() }, end: { self.ending }, open: { { try await self.read(pipe) } }))
        body.codings = ContentCodings(head.fields).unsupported
        let waiter = state.withLock { state -> CheckedContinuation<APIResponse, any Error>? in
            // A second head, as of each part of multipart/x-mixed-replace, adds nothing.
            guard !state.ended, state.pipe == nil else { return nil }
            state.head = head
            state.pipe = pipe
            return state.waiter.take()
        }
        guard let waiter else { return }
        watch()
        waiter.resume(returning: APIResponse(head: head, body: body, metrics: metrics))
    }

    /// Ends the stream when the deadline passes or the server goes silent.
    ///
    /// Unstructured, as `send` has returned and nobody may be reading when the deadline passes; and a race in each read
    /// would leave a timer behind for each chunk. It ends with the transfer, which whoever drops the body ends.
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

    /// Passes a part on to the reader, and makes the server wait where the platform can.
    func feed(_ data: Data, to pipe: BodyPipe) {
        state.withLock { $0.account.received += Int64(data.count) }
        if !pipe.write(data) { settle() }
        let limit = request.options[UnreadLimit.self]
        guard pipe.unreadCount > limit else { return }
        let reason = "more than \(limit) bytes are unread: this session can't make the server wait for a slow reader"
        end(.failure(ServiceError(.bodyTooLarge, reason)))
    }

    private func read(_ pipe: BodyPipe) async throws -> Data? {
        state.withLock { $0.readerWaitsSince = time.now }
        defer { state.withLock { $0.readerWaitsSince = nil } }
        return try await pipe.read()
    }

    /// Suspends or resumes the task as the pipe is full or not.
    ///
    /// It looks at the pipe when its turn comes, one call after the other: an order that was given earlier and comes later
    /// would leave the task suspended for ever.
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
        state.withLock { $0.isWhole } ? BodyStream.Ending(metrics: metrics) : nil
    }
}
