#if os(Linux)
    /// One request over libcurl: creates the transfer, sends its body, and builds the response.
    struct CurlCall: Sendable {
        private let request: APIRequest
        private let configuration: CurlSession.Configuration
        private let engine: CurlEngine
        private let transfer: CurlTransfer

        init(
            _ request: APIRequest, _ configuration: CurlSession.Configuration, _ engine: CurlEngine
        ) throws(ServiceError) {
            self.request = request
            self.configuration = configuration
            self.engine = engine
            let options = request.options
            let isStreamed = options.delivery == .streamed
            let upload: CurlUpload? =
                switch request.body {
                case .none: nil
                case .data(let data): CurlUpload(data, canRewind: request.isRetryable, meter: options.uploadMeter)
                case .multipart(let body) where body.isInMemory:
                    CurlUpload(try body.checkedData(), canRewind: request.isRetryable, meter: options.uploadMeter)
                case .file, .stream, .multipart:
                    CurlUpload(count: try request.body.length(), meter: options.uploadMeter)
                }
            let bodyLimit = isStreamed ? nil : max(options.delivery.limit, RedirectInterceptor.Policy.droppedBodyLimit)
            let mayBeShared = configuration.offersHTTP2 && !isStreamed && request.url?.scheme?.lowercased() == "https"
            // Over HTTP/2, a body in any other coding could not be proved complete.
            let codings = mayBeShared ? ContentCoding.acceptedAsProof : ContentCoding.accepted
            transfer = CurlTransfer(
                try CurlRequest(
                    request, bodyCount: upload?.count, acceptedCodings: codings, offersHTTP2: mayBeShared),
                limits: CurlTransfer.Limits(head: configuration.headerLimit, body: bodyLimit),
                clock: CurlClock(
                    idle: options.idleTimeout ?? APIRequest.defaultIdleTimeout,
                    deadline: options.deadline.flatMap { $0.time is SystemTime ? $0.remaining : nil },
                    iteration: engine.time),
                upload: upload, pipe: isStreamed ? BodyPipe() : nil)
        }

        /// Cancels the transfer.
        func stop() { engine.stop(transfer) }

        /// Sends the request. Returns when the body or, for a streamed body, the header section is complete.
        /// - Throws: ``ServiceError``, or `CancellationError`.
        func perform() async throws -> APIResponse {
            if let upload = transfer.upload, !request.body.isInMemory {
                upload.start(feeding: request.body) { [engine, transfer] in engine.send(.resume(transfer)) }
            }
            let received = try await engine.perform(transfer)
            do throws(ServiceError) {
                return try response(received)
            } catch {
                stop()
                throw error
            }
        }
    }

    extension CurlCall {
        private func response(_ received: CurlTransfer.Received) throws(ServiceError) -> APIResponse {
            guard let url = request.url else { throw ServiceError(.encoding, "the request has no URL") }
            let read =
                if let message = received.message { message } else {
                    try CurlTransfer.Message(received.head, to: request.method)
                }
            let (message, framing) = (read.head, read.framing)
            let head = ResponseHead(status: message.status, reason: message.reason, headers: message.headers, url: url)
            let isPart = message.status == 206 && request.value(ofField: "Range") != nil
            let coding = try ContentCoding(
                message, framing, isPart: isPart, expansionLimit: configuration.expansionLimit)
            // A coding that this session does not support is left to the caller.
            let codings = ContentCodings(coding == nil && framing != .none ? message.headers : [:])
            let isDropped = request.options.redirects.applies(to: head)
            let needsProof = !isDropped && mayBeTruncated(framing)
            if let pipe = transfer.pipe {
                var body = ResponseBody(stream(pipe, framing, coding, needsProof: needsProof))
                body.codings = codings
                return APIResponse(head: head, body: body)
            }
            try framing.check(count: received.body.count)
            let limit = request.options.delivery.limit
            guard isDropped || received.body.count <= limit else { throw .bodyTooLarge(limit) }
            let data = isDropped ? Data() : try coding?.decode(received.body, upTo: limit) ?? received.body
            // Decoding the body has checked that each coding came to its end. A length has been checked above.
            let isProved = Self.isProved(framing, coding, count: received.body.count)
            if received.metrics.isMultiplexed, !isProved, !isDropped { throw Self.unproved }
            if needsProof, !isProved { throw Self.undetected }
            var body = ResponseBody(data)
            body.codings = codings
            return APIResponse(head: head, body: body, metrics: received.metrics)
        }

        /// Whether a body that has been checked and decoded is known to be complete.
        private static func isProved(_ framing: MessageFraming, _ coding: ContentCoding?, count: Int) -> Bool {
            framing.isDelimited || coding?.endProvesCompleteness == true && count > 0
        }

        /// Whether the body ends with its TLS connection, and libcurl does not verify that the server has ended the
        /// connection with a close_notify alert (RFC 9112, section 9.8).
        private func mayBeTruncated(_ framing: MessageFraming) -> Bool {
            guard framing == .untilClose, transfer.request.isSecure else { return false }
            return !CurlLibrary.detectsTruncation(hasTLSProxy: CurlSettings(configuration).mayHaveTLSProxy)
        }

        /// Returns the body as it arrives. With `needsProof`, only the end of a content coding proves it complete.
        private func stream(
            _ pipe: BodyPipe, _ framing: MessageFraming, _ coding: ContentCoding?, needsProof: Bool
        ) -> BodyStream {
            BodyStream(stop: stop, end: { [transfer] in transfer.ending }) { [engine, transfer] in
                var count = 0
                let decoder = coding?.makeDecoder()
                return {
                    while true {
                        if let part = try decoder?.next() { return part }
                        let chunk = try await pipe.read()
                        if transfer.clock.hasPaused, pipe.unreadCount <= BodyPipe.lowWater {
                            engine.send(.resume(transfer))
                        }
                        guard let chunk else {
                            try framing.check(count: count)
                            try decoder?.finish()
                            if needsProof, !Self.isProved(framing, coding, count: count) { throw Self.undetected }
                            return nil
                        }
                        count += chunk.count
                        guard let decoder else { return chunk }
                        decoder.add(chunk)
                    }
                }
            }
        }
    }

    extension CurlCall {
        /// libcurl reports success for a stream that the server resets with `NO_ERROR`, and in old versions also after
        /// a connection error. Without a length, or a coding with a definite end, a truncated body looks complete.
        fileprivate static var unproved: ServiceError {
            ServiceError(
                .badResponse,
                "nothing proves that the response over HTTP/2 is complete: expected a Content-Length, or the content coding "
                    + "br or deflate; call this server over HTTP/1.1 (offersHTTP2 = false)")
        }

        /// Some libcurl versions and TLS libraries report success if the connection ends without a close_notify alert.
        fileprivate static var undetected: ServiceError {
            ServiceError(
                .badResponse,
                "nothing proves that the response is complete: expected a Content-Length, the transfer coding chunked, or the "
                    + "content coding br or deflate, found only the end of the TLS connection, which \(CurlLibrary.state) does "
                    + "not verify; install libcurl 8.15.0 or later with OpenSSL")
        }
    }

    extension MessageFraming {
        /// Whether the header section alone determines the length of the body.
        fileprivate var isDelimited: Bool {
            switch self {
            case .none, .length: true
            case .chunked, .untilClose: false
            }
        }
    }

    extension TransportMetrics {
        /// Whether the response came over a connection that many requests share.
        fileprivate var isMultiplexed: Bool { protocolName == "h2" || protocolName == "h3" }
    }
#endif
