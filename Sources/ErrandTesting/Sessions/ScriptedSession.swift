public import Errand
import ErrandSupport

/// A session without a network that responds with scripted replies in order, and records the requests.
///
/// ```swift
/// let session = ScriptedSession([.json(#"[{"id":"a"}]"#)])
/// let photos = try await APILoader(GalleryAPI(environment: .production), session: session).load(GalleryQuery())
/// #expect(session.recorded.map(\.path) == ["/v1/photos"])
/// try session.verify()        // throws if a reply is unused, or a request has no reply
/// ```
/// It is as strict as a real session: it refuses invalid requests, applies the deadline, the idle timeout and the limit
/// of the body, and ends when its task is cancelled. A request with streamed delivery first gets the status and the
/// headers, then the chunks of the body as they are read. The pauses between the chunks start with reading.
///
/// Delays and timeouts use the clock of each request (``/Errand/RequestOptions/time``). If a loader has a
/// ``ManualClock``, its session uses that clock too.
public final class ScriptedSession: APISession {
    /// Returns the reply to a request.
    public typealias Handler = @Sendable (APIRequest) async throws -> CannedReply

    private struct State {
        var replies: ArraySlice<CannedReply>
        var recorded: [APIRequest] = []
        var unexpected: [ServiceError.RequestSummary] = []
    }

    private let handler: Handler?
    private let length: Int
    private let state: Locked<State>

    /// Creates a session that responds with the replies in order.
    ///
    /// - Parameter replies: One reply for each request. A further request fails with an error that names it.
    public init(_ replies: [CannedReply]) {
        handler = nil
        length = replies.count
        state = Locked(State(replies: replies[...]))
    }

    /// Creates a session with a handler that returns the reply to each request.
    public init(answering handler: @escaping Handler) {
        self.handler = handler
        length = 0
        state = Locked(State(replies: []))
    }

    /// The requests that were sent, oldest first.
    public var recorded: [APIRequest] { state.withLock { $0.recorded } }

    /// Responds to a request with the next reply.
    /// - Throws: The error of the reply, ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` if
    ///   the script has no more replies, and the errors that every session throws.
    public func send(_ request: APIRequest) async throws -> APIResponse {
        try request.checkSendable()
        try Task.checkCancellation()
        return try await race(request.options.deadline) {
            try await self.play(try await self.reply(to: request), for: request)
        }
    }

    /// Checks that every reply was used and that no further request was sent.
    public func verify() throws(VerificationError) {
        let (left, unexpected) = state.withLock { ($0.replies.count, $0.unexpected) }
        var problems = unexpected.map { "unexpected  \($0): the script had no more replies" }
        if left > 0 { problems.append("never used  the last \(left == 1 ? "" : "\(left) ")of the script's replies") }
        guard problems.isEmpty else { throw VerificationError(problems) }
    }
}

extension ScriptedSession {
    private func reply(to request: APIRequest) async throws -> CannedReply {
        let next = state.withLock { state in
            state.recorded.append(request)
            let next = state.replies.popFirst()
            if next == nil, handler == nil { state.unexpected.append(request.summary) }
            return next
        }
        if let next { return next }
        if let handler { return try await handler(request) }
        throw ServiceError(.configuration, "the script has no more replies: expected at most \(length) requests")
    }

    private func play(_ reply: CannedReply, for request: APIRequest) async throws -> APIResponse {
        guard let url = request.url else { throw ServiceError(.encoding, "the request has no URL") }
        var playing = ScriptedReply(reply, to: request)
        let told = try await playing.head()
        let head = ResponseHead(status: told.status, headers: told.headers, url: url)
        guard case .buffered(let limit) = request.options.delivery else {
            return APIResponse(head: head, body: ResponseBody(playing.rest()))
        }
        var body = Data()
        while let part = try await playing.part() {
            body.append(part)
            guard body.count <= limit else { throw ServiceError.bodyTooLarge(limit) }
        }
        return APIResponse(head: head, body: ResponseBody(body))
    }
}
