import ErrandSupport

/// What the platform tells of a transfer, from its delegate queue.
extension Transfer {
    /// Takes a head; interim ones are passed over (RFC 9110, section 15.2), 101 is final.
    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            return end(.failure(ServiceError(.badResponse, "the answer is not HTTP")))
        }
        touch()
        guard response.statusCode >= 200 || response.statusCode == 101 else { return }
        guard let head = ResponseHead(response, for: request.head.url) else { return end(.failure(Self.noAddress)) }
        receive(head, announcing: response.expectedContentLength)
    }

    private static var noAddress: ServiceError { ServiceError(.badResponse, "the answer has no address") }

    private func receive(_ head: ResponseHead, announcing length: Int64) {
        // The platform passes a CR on (RFC 9110, section 5.5): whoever writes the value elsewhere would forge a field.
        if let flaw = head.fields.lazy.compactMap(\.flaw).first {
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

    /// The number of bytes that the body must have. `nil` if the platform checks the length, or has decoded the body.
    private func framing(of head: ResponseHead) throws(ServiceError) -> MessageFraming? {
        guard !Platform.checksBodyLengths else { return nil }
        let framing = try MessageFraming(status: head.status, head.fields, method: request.method)
        return ContentCodings(head.fields).names.isEmpty ? framing : nil
    }

    /// Takes a part of the body, as long as the cap allows.
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

    /// Takes the end that the platform reports, with the head as it knows it.
    func complete(_ error: (any Error)?, _ response: URLResponse?, challenged: Bool) {
        // A redirect without a target that the platform can read is not announced on Linux, only known at the end, and
        // its body is lost.
        if error == nil, let response = response as? HTTPURLResponse, state.withLock({ $0.head == nil }) {
            guard let head = ResponseHead(response, for: request.head.url) else { return end(.failure(Self.noAddress)) }
            guard
                response.value(forHTTPHeaderField: "Content-Length") == "0"
                    || request.options.redirects.applies(to: head)
            else {
                let reason = "a \(response.statusCode) without an address, whose body the platform drops"
                return end(.failure(ServiceError(.badResponse, reason)))
            }
            receive(head, announcing: 0)
        }
        let (head, data, framing, received) = state.withLock { state in
            state.account.ended = time.now
            return (state.head, state.body, state.framing, state.account.received)
        }
        // A refused challenge ends the task as cancelled, after the answer to it has arrived.
        let isRefusal = challenged && head != nil && (error as? URLError)?.code == .cancelled
        if let error, !isRefusal {
            let isBodyShort = framing?.announces(moreThan: received) ?? false
            return end(.failure(TransportFailure.classify(error, isBodyShort: isBodyShort)))
        }
        guard let head else { return end(.failure(ServiceError(.badResponse, "the answer has no head"))) }
        do throws(ServiceError) {
            try framing?.check(count: received)
        } catch {
            return end(.failure(error))
        }
        var body = ResponseBody(data)
        body.codings = ContentCodings(head.fields).unsupported
        end(.success(APIResponse(head: head, body: body, metrics: metrics)))
    }

    /// Takes note of bytes of the request's body that went out: a server that takes them is not silent.
    func note(sent count: Int64) {
        state.withLock { state in
            state.account.sent += count
            state.lastActivity = time.now
        }
    }

    /// Takes note that something came.
    private func touch() {
        state.withLock { state in
            let now = time.now
            state.lastActivity = now
            if state.account.firstByte == nil { state.account.firstByte = now }
        }
    }

    /// Waits until the server has been silent for the idle time-out, and returns the error that this is.
    ///
    /// It counts from the moment the request is sent: waiting for a free connection is not silence. Nor is it the
    /// server's silence while the reader of a stream is busy with what it has got.
    func silence() async throws -> any Error {
        let idle = min(max(request.options.idleTimeout ?? APIRequest.standardIdleTimeout, .zero), .seconds(86_400))
        while true {
            let now = time.now
            let quiet = state.withLock { $0.silence(until: now) }
            if quiet >= idle { return ServiceError(.timeout, "no part of the response arrived for \(idle)") }
            try await time.sleep(until: now + idle - quiet)
        }
    }
}

extension Transfer.State {
    /// How long the other side has said nothing to somebody who waits.
    fileprivate func silence(until now: Duration) -> Duration {
        guard let lastActivity else { return .zero }
        guard pipe != nil else { return now - lastActivity }
        guard let readerWaitsSince else { return .zero }
        return now - max(lastActivity, readerWaitsSince)
    }
}
