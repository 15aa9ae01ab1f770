import ErrandSupport

/// The events of a transfer that the platform reports on its delegate queue.
extension Transfer {
    /// Receives a header section. Interim responses are ignored (RFC 9110, section 15.2). A 101 response is final.
    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            return end(.failure(ServiceError(.badResponse, "expected an HTTP response, found another kind")))
        }
        touch()
        guard response.statusCode >= 200 || response.statusCode == 101 else { return }
        guard let head = ResponseHead(response, for: request.head.url) else { return end(.failure(Self.noURL)) }
        receive(head, announcing: response.expectedContentLength)
    }

    private static var noURL: ServiceError { ServiceError(.badResponse, "the response has no URL") }

    private func receive(_ head: ResponseHead, announcing length: Int64) {
        // The platform accepts a CR in a header value (RFC 9110, section 5.5). Code that copies the value into another
        // message would forge a header.
        if let flaw = head.headers.lazy.compactMap(\.flaw).first {
            return end(.failure(ServiceError(.badResponse, flaw)))
        }
        let isDropped = request.options.redirects.applies(to: head)
        do throws(ServiceError) {
            let framing = try framing(of: head)
            state.withLock { $0.framing = isDropped ? nil : framing }
        } catch {
            return end(.failure(error))
        }
        if request.options.delivery == .streamed, !isDropped { return stream(head) }
        if length > Int64(limit), request.method != .head, !isDropped {
            return end(.failure(ServiceError.bodyTooLarge(limit)))
        }
        state.withLock { state in
            state.head = head
            state.body = Data()
            state.dropped = isDropped ? 0 : nil
        }
    }

    /// The framing of the body. `nil` if the platform checks the length, or has decoded the body.
    private func framing(of head: ResponseHead) throws(ServiceError) -> MessageFraming? {
        guard !Platform.checksBodyLengths else { return nil }
        let framing = try MessageFraming(status: head.status, head.headers, method: request.method)
        return ContentCodings(head.headers).names.isEmpty ? framing : nil
    }

    /// Receives a part of the body, up to the size limit.
    func receive(_ data: Data) {
        touch()
        if let pipe = state.withLock({ $0.pipe }) { return feed(data, to: pipe) }
        let fits = state.withLock { state in
            guard !state.ended else { return true }
            state.account.received += Int64(data.count)
            if let dropped = state.dropped {
                state.dropped = dropped + data.count
                return dropped + data.count <= max(limit, RedirectInterceptor.Policy.droppedBodyLimit)
            }
            guard data.count <= limit - state.body.count else { return false }
            state.body.append(data)
            return true
        }
        if !fits { end(.failure(ServiceError.bodyTooLarge(limit))) }
    }

    /// Completes the transfer with the result and the response that the platform reports at the end.
    func complete(_ error: (any Error)?, _ response: URLResponse?, challenged: Bool) {
        // On Linux, a redirect without a valid target is reported only at the end, and its body is lost.
        if error == nil, let response = response as? HTTPURLResponse, state.withLock({ $0.head == nil }) {
            guard let head = ResponseHead(response, for: request.head.url) else { return end(.failure(Self.noURL)) }
            guard
                response.value(forHTTPHeaderField: "Content-Length") == "0"
                    || request.options.redirects.applies(to: head)
            else {
                let reason =
                    "the \(response.statusCode) response has no valid Location, and URLSession dropped its body"
                return end(.failure(ServiceError(.badResponse, reason)))
            }
            receive(head, announcing: 0)
        }
        let (head, data, framing, received) = state.withLock { state in
            state.account.ended = time.now
            return (state.head, state.body, state.framing, state.account.received)
        }
        // A refused challenge ends the task as cancelled, after its response has arrived.
        let isRefusal = challenged && head != nil && (error as? URLError)?.code == .cancelled
        if let error, !isRefusal {
            let isBodyShort = framing?.announces(moreThan: received) ?? false
            return end(.failure(TransportFailure.classify(error, isBodyShort: isBodyShort)))
        }
        guard let head else {
            return end(.failure(ServiceError(.badResponse, "expected a header section, found the end of the response")))
        }
        do throws(ServiceError) {
            try framing?.check(count: received)
        } catch {
            return end(.failure(error))
        }
        var body = ResponseBody(data)
        body.codings = ContentCodings(head.headers).unsupported
        end(.success(APIResponse(head: head, body: body, metrics: metrics)))
    }

    /// Notes that bytes of the request body were sent. They restart the idle timeout.
    func note(sent count: Int64) {
        let isActive = state.withLock { state in
            state.account.sent += count
            state.lastActivity = time.now
            return !state.ended
        }
        // The meter may already count the next attempt.
        if isActive { request.options.uploadMeter?.add(count) }
    }

    /// Notes that a part of the response arrived. It restarts the idle timeout.
    private func touch() {
        state.withLock { state in
            let now = time.now
            state.lastActivity = now
            if state.account.firstByte == nil { state.account.firstByte = now }
        }
    }

    /// Waits until the idle timeout has passed, and returns its error.
    ///
    /// The timeout starts when the request is sent, so the wait for a free connection does not count. Nor does the
    /// time in which the reader of a stream processes received bytes.
    func silence() async throws -> any Error {
        let idle = min(max(request.options.idleTimeout ?? APIRequest.defaultIdleTimeout, .zero), .seconds(86_400))
        while true {
            let now = time.now
            let quiet = state.withLock { $0.silence(until: now) }
            if quiet >= idle { return ServiceError(.timeout, "no part of the response arrived for \(idle)") }
            try await time.sleep(until: now + idle - quiet)
        }
    }
}

extension Transfer.State {
    /// The time without activity while a caller or the reader of a stream waits.
    fileprivate func silence(until now: Duration) -> Duration {
        guard let lastActivity else { return .zero }
        guard pipe != nil else { return now - lastActivity }
        guard let readerWaitsSince else { return .zero }
        return now - max(lastActivity, readerWaitsSince)
    }
}
