package import Errand

/// A session without a network: answers from a script, in order, and records what was sent.
///
/// The test kit of a later step will grow from it.
package final class ScriptedSession: APISession {
    /// What one request gets.
    package enum Step: Sendable {
        case reply(status: Int, fields: HeaderFields = [:], body: Data = Data())
        case failure(any Error)
        /// Never answers; ends only by cancellation.
        case stall

        package static func json(_ text: String, status: Int = 200) -> Step {
            .reply(status: status, fields: ["Content-Type": "application/json"], body: Data(text.utf8))
        }

        package static func status(_ status: Int) -> Step { .reply(status: status) }
    }

    private struct State {
        var steps: [Step]
        var recorded: [APIRequest] = []
    }

    private let state: Locked<State>

    package init(_ steps: [Step]) {
        state = Locked(State(steps: steps))
    }

    package var recorded: [APIRequest] { state.withLock { $0.recorded } }

    package func send(_ request: APIRequest) async throws -> APIResponse {
        let step = state.withLock { state in
            state.recorded.append(request)
            return state.steps.isEmpty ? nil : state.steps.removeFirst()
        }
        switch step {
        case .reply(let status, let fields, let body):
            guard let url = request.head.url else { throw ServiceError(.encoding, "the request has no address") }
            return APIResponse(head: ResponseHead(status: status, fields: fields, url: url), body: ResponseBody(body))
        case .failure(let error): throw error
        case .stall:
            await waitUntilCancelled()
            throw CancellationError()
        case nil: throw ServiceError(.configuration, "the script has no step left for \(request)")
        }
    }
}

/// Waits until the task is cancelled.
package func waitUntilCancelled() async {
    // Nothing is ever sent: a stream's iterator ends when its task is cancelled.
    let (stream, source) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    withExtendedLifetime(source) {}
}
