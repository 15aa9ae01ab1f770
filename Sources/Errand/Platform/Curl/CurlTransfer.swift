#if os(Linux)
    import ErrandSupport
    import CErrandCurl

    /// One request over libcurl: the received bytes, the waiting caller, and the result, which is set once.
    ///
    /// Callbacks run one at a time, on the thread that drives the engine. Reads and cancellation use any thread.
    final class CurlTransfer: Sendable {
        /// The received header section and, if the body is buffered, the complete body.
        struct Received: Sendable {
            var head: [UInt8]
            /// The parsed header section, if it was already needed.
            var message: Message?
            var body: Data
            var metrics: TransportMetrics
        }

        /// A parsed header section, and the framing of the body that it determines.
        struct Message: Sendable {
            let head: MessageHead
            let framing: MessageFraming

            /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse``.
            init(_ bytes: [UInt8], to method: HTTPMethod) throws(ServiceError) {
                head = try MessageHead(bytes)
                framing = try MessageFraming(head, method: method)
            }
        }

        /// The size limits of a response.
        struct Limits: Sendable {
            /// The maximum number of bytes of the final and all interim header sections together, and of the trailers.
            var head: Int
            /// The maximum number of bytes of the body before decoding, or `nil` if the body is streamed.
            var body: Int?
        }

        fileprivate struct State {
            var waiter: CheckedContinuation<Received, any Error>?
            var hasEnded = false
            var head: [UInt8] = []
            var message: Message?
            var hasHead = false
            var interimBytes = 0
            var trailers: [UInt8] = []
            var body = Data()
            /// The error with which this client rejected the response, or `nil`.
            var refusal: ServiceError?
            var ending: BodyStream.Ending?
            /// The number of missing bytes of a response that rejects the request body, or `nil` if it is unknown.
            var rest: Int64?
        }

        let request: CurlRequest
        let limits: Limits
        let clock: CurlClock
        /// The body of the request, or `nil` if there is none.
        let upload: CurlUpload?
        /// Passes a streamed body to its reader.
        let pipe: BodyPipe?
        private let state = Locked(State())

        init(
            _ request: CurlRequest, limits: Limits, clock: CurlClock, upload: CurlUpload?, pipe: BodyPipe?
        ) {
            self.request = request
            self.limits = limits
            self.clock = clock
            self.upload = upload
            self.pipe = pipe
        }

        /// Registers the waiting caller. If the transfer has already ended, resumes the caller and returns `false`.
        func begin(_ waiter: CheckedContinuation<Received, any Error>) -> Bool {
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiter = waiter }
                return state.hasEnded
            }
            if hasEnded { waiter.resume(throwing: CancellationError()) }
            return !hasEnded
        }

        var hasEnded: Bool { state.withLock { $0.hasEnded } }

        /// The trailers and metrics, after the last byte of a stream.
        var ending: BodyStream.Ending? { state.withLock { $0.ending } }
    }

    extension CurlTransfer {
        /// Receives a line of the header section or the trailer section. Returns `false` to end the transfer.
        func takeHead(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            clock.touch()
            let (goesOn, isFinal, waiter, head) = state.withLock { state in
                if state.isFirstLine, !request.offersHTTP2, let flaw = bytes.versionFlaw { state.refuse(flaw) }
                let isEnd = state.addToHead(bytes, limit: limits.head) && state.refusal == nil
                let isFinal = isEnd && state.endHead()
                let begins = isFinal && pipe != nil
                return (state.refusal == nil, isFinal, begins ? state.waiter.take() : nil, begins ? state.head : [])
            }
            waiter?.resume(returning: Received(head: head, body: Data(), metrics: TransportMetrics()))
            if isFinal {
                if request.isSecure { clock.iteration.note(self) }
                if upload != nil { tellUpload(of: 0) }
            }
            return goesOn
        }

        /// Tracks a response that may arrive before the request body was sent, because it may reject the unsent bytes.
        private func tellUpload(of bytes: Int) {
            let isComplete = state.withLock { state in
                if bytes == 0 { state.expectRefusal(of: request) }
                if let rest = state.rest { state.rest = rest - Int64(bytes) }
                return state.isResponseComplete
            }
            if bytes == 0 || isComplete { upload?.hear(isComplete: isComplete) }
        }

        /// Receives bytes of the body, up to the size limit and only if the reader has room.
        func takeBody(_ bytes: UnsafeBufferPointer<UInt8>) -> errand_body_result {
            clock.touch()
            if let pipe {
                if pipe.isFull {
                    clock.pause()
                    // The reader resumes a paused transfer, but it may have made room just before the pause.
                    if pipe.isFull { return errand_body_paused }
                    clock.resume()
                }
                if pipe.add(bytes) { clock.iteration.note(pipe) }
                if upload != nil { tellUpload(of: bytes.count) }
                return errand_body_accepted
            }
            defer { if upload != nil { tellUpload(of: bytes.count) } }
            return state.withLock { state in
                if let limit = limits.body, bytes.count > limit - state.body.count {
                    state.refuse(.bodyTooLarge(limit))
                    return errand_body_refused
                }
                if state.body.isEmpty { state.makeRoom(for: bytes.count, of: request, limit: limits.body) }
                state.body.append(bytes)
                return errand_body_accepted
            }
        }
    }

    extension CurlTransfer {
        /// Rejects a response with too much framing. libcurl skips chunk extensions without a limit.
        func refuseFraming() {
            let error = ServiceError(
                .badResponse,
                "the framing of the response, such as chunk extensions, exceeds its limit of \(ERRAND_FRAMING_LIMIT) bytes "
                    + "and \(ERRAND_FRAMING_PER_BYTE) for each byte of the body")
            state.withLock { $0.refuse(error) }
        }

        /// Provides bytes of the request body. See ``CurlUpload/read(into:)``.
        func giveBody(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> Int64 {
            clock.touch()
            let given = upload?.read(into: bytes) ?? 0
            // After the response has begun, the idle timeout applies even if the source has no bytes.
            if given == CurlUpload.Given.none, state.withLock({ !$0.hasHead }) { clock.pause() }
            return given
        }
    }

    extension CurlTransfer {
        /// Completes the transfer with the result that the engine reports.
        func complete(_ outcome: CurlOutcome) {
            upload?.stop()
            let (waiter, failure, received) = state.withLock {
                state -> (CheckedContinuation<Received, any Error>?, ServiceError?, Received) in
                state.hasEnded = true
                let isComplete = state.isResponseComplete && state.refusal == nil
                var failure = isComplete ? nil : state.refusal ?? upload?.failure ?? outcome.failure
                // libcurl reports success if the connection closes within the header section.
                if failure == nil, !state.hasHead {
                    failure = ServiceError(
                        .connectionLost, "expected a complete header section, found the end of the connection")
                }
                let received = Received(
                    head: state.head, message: state.message, body: state.body, metrics: outcome.metrics)
                state.body = Data()
                do throws(ServiceError) {
                    let trailers = try MessageHead.headers(in: state.trailers)
                    state.ending = BodyStream.Ending(trailers: trailers, metrics: outcome.metrics)
                } catch {
                    failure = failure ?? error
                }
                return (state.waiter.take(), failure, received)
            }
            if let failure {
                waiter?.resume(throwing: failure)
                pipe?.finish(.failure(failure))
            } else {
                waiter?.resume(returning: received)
                pipe?.finish(.success(()))
            }
        }

        /// Ends the transfer for its caller. The engine removes it later. Returns `false` if it had already ended.
        func end(_ error: any Error) -> Bool {
            let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Received, any Error>?) in
                guard !state.hasEnded else { return (false, nil) }
                state.hasEnded = true
                state.body = Data()
                return (true, state.waiter.take())
            }
            // After `hasEnded` is set, because libcurl reports its own error when an upload is stopped.
            upload?.stop()
            waiter?.resume(throwing: error)
            if isFirst { pipe?.finish(.failure(error)) }
            return isFirst
        }
    }

    extension CurlTransfer.State {
        fileprivate mutating func refuse(_ error: ServiceError) {
            refusal = refusal ?? error
        }

        fileprivate var isFirstLine: Bool { head.isEmpty && !hasHead }

        var isResponseComplete: Bool { rest.map { $0 <= 0 } ?? false }

        /// Parses a response that makes libcurl stop sending the request body: 3xx, 4xx and 5xx.
        fileprivate mutating func expectRefusal(of request: CurlRequest) {
            guard hasHead, let message = readMessage(to: request), message.head.status >= 300 else { return }
            switch message.framing {
            case .none: rest = 0
            case .length(let length): rest = length
            case .chunked, .untilClose: rest = nil
            }
        }

        /// Parses the final header section, which has been received. Returns `nil` if it is malformed.
        private mutating func readMessage(to request: CurlRequest) -> CurlTransfer.Message? {
            if message == nil { message = try? CurlTransfer.Message(head, to: HTTPMethod(request.method)) }
            return message
        }

        /// Reserves up to 1 MB for a body if its length is known and its first chunk has at least 8 kB, because each
        /// growth of the buffer copies the body.
        fileprivate mutating func makeRoom(for first: Int, of request: CurlRequest, limit: Int?) {
            guard first >= 8 << 10, case .length(let length)? = readMessage(to: request)?.framing else { return }
            body.reserveCapacity(Int(min(length, Int64(limit ?? .max), 1 << 20)))
        }

        /// Appends a line to the header or trailer section. Returns `true` at the end of a header section.
        fileprivate mutating func addToHead(_ line: UnsafeBufferPointer<UInt8>, limit: Int) -> Bool {
            if hasHead {
                // After some rejections libcurl sends the request again, and both responses arrive here.
                if line.starts(with: "HTTP/".utf8) {
                    refuse(ServiceError(.badResponse, "expected one response, found a second status line"))
                }
                trailers.append(contentsOf: line)
            } else {
                // Enough for most header sections. Each growth of the buffer copies it.
                if head.isEmpty { head.reserveCapacity(512) }
                head.append(contentsOf: line)
            }
            if line.first == 0 {
                refuse(ServiceError(.badResponse, "invalid header line: found NUL as its first character"))
            }
            if max(head.count + interimBytes, trailers.count) > limit {
                refuse(
                    ServiceError(
                        .badResponse, "expected a header or trailer section of at most \(limit) bytes, found more"))
            }
            return !hasHead && line.isEmptyLine
        }

        /// Ends a header section. Those of interim responses are checked and dropped (RFC 9110, section 15.2). Returns
        /// `true` for the final one, which is parsed later.
        fileprivate mutating func endHead() -> Bool {
            hasHead = head.drop { $0 != UInt8(ascii: " ") }.dropFirst().first != UInt8(ascii: "1")
            guard !hasHead else { return true }
            do throws(ServiceError) {
                // The following bytes would belong to a protocol that was not requested (section 7.8).
                if try MessageHead(head).status == 101 {
                    refuse(
                        ServiceError(.badResponse, "unexpected 101 response: the request asked for no other protocol"))
                }
            } catch {
                refuse(error)
            }
            interimBytes += head.count
            head.removeAll(keepingCapacity: true)
            return false
        }
    }
#endif
