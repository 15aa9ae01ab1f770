import Errand

/// A reply that is being delivered to one caller: its status and headers, then its chunks, with their delays.
struct ScriptedReply: Sendable {
    private let request: APIRequest
    private var steps: ArraySlice<CannedReply.Step>
    /// The request's deadline, set only while a streamed body is read. In buffered delivery, the session applies the
    /// deadline to the complete request.
    private var deadline: Deadline?

    init(_ reply: CannedReply, to request: APIRequest) {
        self.request = request
        steps = reply.steps(hasBody: request.method != .head, skippingEmptyParts: false)[...]
    }

    /// Waits for the status and the headers.
    mutating func head() async throws -> CannedReply.Head {
        while true {
            switch try await next() {
            case .head(let head): return head
            case .fail(let error): throw error
            // A reply without status and headers stays silent, regardless of its ending.
            case .wait, .data, .finish: steps = []
            }
        }
    }

    /// Waits for the next chunk of the body. Returns `nil` at its end.
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

    /// The undelivered part of the reply, as a streamed body.
    func rest() -> BodyStream {
        BodyStream { [self] in
            var reading = self
            reading.deadline = request.options.deadline
            return { try await reading.part() }
        }
    }

    /// Waits for the next step and returns it. After the steps of a reply without an ending, stays silent.
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

    /// Waits for the duration, at most for the idle timeout.
    private func pause(_ duration: Duration) async throws {
        guard duration > .zero else { return }
        let idle = request.options.idleTimeout ?? APIRequest.defaultIdleTimeout
        try await race(deadline) { [time = request.options.time] in
            try await time.sleep(until: time.now + min(duration, max(.zero, idle)))
        }
        if duration > idle { throw ServiceError(.timeout, "the server sent nothing for \(idle)") }
    }
}
