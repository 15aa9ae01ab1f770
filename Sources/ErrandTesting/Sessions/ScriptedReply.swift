import Errand

/// A reply on its way to one caller: its head, then part after part, each when its time has come.
struct ScriptedReply: Sendable {
    private let request: APIRequest
    private var steps: ArraySlice<CannedReply.Step>
    /// The call's deadline, where the reading has to keep to it: in buffered delivery the call as a whole does.
    private var deadline: Deadline?

    init(_ reply: CannedReply, to request: APIRequest) {
        self.request = request
        steps = reply.steps(hasBody: request.method != .head, skippingEmptyParts: false)[...]
    }

    /// Waits for the head.
    mutating func head() async throws -> CannedReply.Head {
        while true {
            switch try await next() {
            case .head(let head): return head
            case .fail(let error): throw error
            // Without a head a reply is silent, however it ends.
            case .wait, .data, .finish: steps = []
            }
        }
    }

    /// Waits for the next part of the body; nil at its end.
    mutating func part() async throws -> Data? {
        while true {
            switch try await next() {
            case .data(let part): return part
            case .finish: return nil
            case .fail(let error): throw error
            case .wait, .head: continue
            }
        }
    }

    /// What has not come yet, as a body that is read while it comes.
    func rest() -> BodyStream {
        BodyStream { [self] in
            var reading = self
            reading.deadline = request.options.deadline
            return { try await reading.part() }
        }
    }

    /// The next step, once what comes before it has been waited for; a reply without a last step goes silent.
    private mutating func next() async throws -> CannedReply.Step {
        while let step = steps.popFirst() {
            try Task.checkCancellation()
            guard case .wait(let duration) = step else {
                try await race(deadline) {}
                return step
            }
            try await pause(duration)
        }
        try await pause(.seconds(Int64.max))
        throw CancellationError()
    }

    /// Waits as the server makes its caller wait, at most the idle time-out.
    private func pause(_ duration: Duration) async throws {
        guard duration > .zero else { return }
        let idle = request.options.idleTimeout ?? APIRequest.standardIdleTimeout
        try await race(deadline) { [time = request.options.time] in
            try await time.sleep(until: time.now + min(duration, max(.zero, idle)))
        }
        if duration > idle { throw ServiceError(.timeout, "the server was silent for \(idle)") }
    }
}
