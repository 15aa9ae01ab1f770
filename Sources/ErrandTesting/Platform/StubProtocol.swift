import Errand

/// The `URLProtocol` of every ``StubSession``. It handles all requests, so that they never reach the network.
///
/// Requirements of the platforms, above all Linux: a response must precede the end, and no calls may follow the end or
/// the stop. Calls are allowed only from the client's queue. A redirect is delivered as an ordinary response, never
/// with `wasRedirectedTo`.
final class StubProtocol: URLProtocol {
    private var playback: Playback?

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        do {
            let router = try StubRouter.router(for: request)
            let sent = try APIRequest(sent: request)
            play(try router.reply(to: sent), to: sent, time: router.time)
        } catch {
            client?.urlProtocol(self, didFailWithError: error)
        }
    }

    override func stopLoading() {
        playback?.stop()
        playback = nil
    }

    private func play(_ reply: CannedReply, to sent: APIRequest, time: any TimeSource) {
        // A plain session's task may have a delegate, which gets every chunk on Linux, or a completion handler, which
        // gets only the last one. The two cannot be distinguished. A body in one chunk is correct for both. Errand's
        // own requests have a delegate.
        let isPlain = request.value(forHTTPHeaderField: StubRouter.header) == nil
        let steps = reply.steps(
            hasBody: sent.method != .head, inOnePart: isPlain && Platform.completionHandlersLoseParts)
        // A URLProtocol can't be Sendable. This is safe, because the playback performs one step at a time and only on
        // the client's queue, on which `startLoading` and `stopLoading` are also called.
        nonisolated(unsafe) let me = self
        let playback = Playback(steps, time: time) { me.perform($0) }
        self.playback = playback
        playback.play()
    }

    private func perform(_ step: CannedReply.Step) {
        switch step {
        case .wait: break
        case .head(let head):
            guard let response = response(head) else {
                return fail(.stub(.badServerResponse, "cannot create a response from the stub's status and headers"))
            }
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        case .data(let data): client?.urlProtocol(self, didLoad: data)
        case .finish: client?.urlProtocolDidFinishLoading(self)
        case .fail(let error): client?.urlProtocol(self, didFailWithError: error)
        }
    }

    private func fail(_ error: URLError) {
        playback?.stop()
        client?.urlProtocol(self, didFailWithError: error)
    }

    private func response(_ head: CannedReply.Head) -> HTTPURLResponse? {
        guard let url = request.url else { return nil }
        return try? ResponseHead(status: head.status, headers: head.headers, url: url).httpURLResponse()
    }
}
