import Errand

/// The `URLProtocol` behind every ``StubSession``: it claims all requests, so that none reaches the network.
///
/// What the platforms demand of it, above all Linux: a response before the end; no call after the end or the stop; calls
/// from the client's queue only; a redirect as the answer that it is, never `wasRedirectedTo`.
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
        // Nobody can say whether a plain session's task has a delegate, which gets every part on Linux, or a completion
        // handler, which gets the last one. A whole body is right for both; Errand's own requests have a delegate.
        let isPlain = request.value(forHTTPHeaderField: StubRouter.field) == nil
        let steps = reply.steps(
            hasBody: sent.method != .head, inOnePart: isPlain && Platform.completionHandlersLoseParts)
        // A URLProtocol can't be Sendable. This is safe, for the playback performs one step after the other, on the
        // client's queue alone, where also `startLoading` and `stopLoading` are called.
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
                return fail(.stub(.badServerResponse, "the platform can't represent the stub's head"))
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
        return try? ResponseHead(status: head.status, fields: head.fields, url: url).httpURLResponse()
    }
}
