public import Errand
import ErrandSupport

/// A session without a network: it answers from a script, in order, and records what was sent.
///
/// ```swift
/// let session = ScriptedSession([.json(#"[{"id":"a"}]"#)])
/// let photos = try await APILoader(GalleryAPI(environment: .production), session: session).load(GalleryQuery())
/// #expect(session.recorded.map(\.path) == ["/v1/photos"])
/// try session.verify()        // throws where a reply is left, or a request came beyond the script
/// ```
/// It is as strict as a real session: it refuses what must not go onto the wire, keeps to deadline, idle time-out and
/// the body's cap, and ends when its task is cancelled. A streamed call gets the head first, and the parts of its body as
/// they are read: their pauses begin then.
///
/// Delays and timeouts are measured on the clock of each request (``/Errand/RequestOptions/time``): give a loader a
/// ``ManualClock``, and its session waits on it too.
public final class ScriptedSession: APISession {
    /// Answers one request.
    public typealias Handler = @Sendable (APIRequest) async throws -> CannedReply

    private struct State {
        var replies: ArraySlice<CannedReply>
        var recorded: [APIRequest] = []
        var unexpected: [ServiceError.RequestSummary] = []
    }

    private let handler: Handler?
    private let length: Int
    private let state: Locked<State>

    /// A session whose requests are answered one after the other, in the order in which they come.
    ///
    /// - Parameter replies: One reply for each request. A further request is an error that names it.
    public init(_ replies: [CannedReply]) {
        handler = nil
        length = replies.count
        state = Locked(State(replies: replies[...]))
    }

    /// A session whose answers are decided request by request.
    public init(answering handler: @escaping Handler) {
        self.handler = handler
        length = 0
        state = Locked(State(replies: []))
    }

    /// What was sent, oldest first.
    public var recorded: [APIRequest] { state.withLock { $0.recorded } }

    /// Answers a request by the script.
    /// - Throws: The reply's error; ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` where the
    ///   script is at its end, and as every session does.
    public func send(_ request: APIRequest) async throws -> APIResponse {
        try request.checkSendable()
        try Task.checkCancellation()
        return try await race(request.options.deadline) {
            try await self.play(try await self.reply(to: request), for: request)
        }
    }

    /// Checks that each reply was given and no request came beyond them.
    public func verify() throws(VerificationError) {
        let (left, unexpected) = state.withLock { ($0.replies.count, $0.unexpected) }
        var problems = unexpected.map { "unexpected  \($0): the script was at its end" }
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
        throw ServiceError(.configuration, "the script is at its end; replies in all: \(length)")
    }

    private func play(_ reply: CannedReply, for request: APIRequest) async throws -> APIResponse {
        guard let url = request.url else { throw ServiceError(.encoding, "the request has no address") }
        var playing = ScriptedReply(reply, to: request)
        let told = try await playing.head()
        let head = ResponseHead(status: told.status, fields: told.fields, url: url)
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
