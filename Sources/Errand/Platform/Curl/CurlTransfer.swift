#if os(Linux)
    import ErrandSupport
    import CErrandCurl

    /// One exchange on its way over libcurl: what has arrived, who waits for it, and how it ends, once.
    ///
    /// Its callbacks come one at a time, from whichever thread lets the engine act; its reader and its canceller come from
    /// anywhere.
    final class CurlTransfer: Sendable {
        /// What the head brings; with it the whole body in buffered delivery.
        struct Answer: Sendable {
            var head: [UInt8]
            /// The same, where it had to be read on the way.
            var message: Message?
            var body: Data
            var metrics: TransportMetrics
        }

        /// A head, and what it says of the body.
        struct Message: Sendable {
            let head: MessageHead
            let framing: MessageFraming

            /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse``.
            init(_ bytes: [UInt8], to method: HTTPMethod) throws(ServiceError) {
                head = try MessageHead(bytes)
                framing = try MessageFraming(head, method: method)
            }
        }

        /// The bounds of what is taken.
        struct Limits: Sendable {
            /// The most bytes of a head, of trailers, or of all interim heads together.
            var head: Int
            /// The most bytes of a body, as it comes; nil where a reader takes it.
            var body: Int?
        }

        fileprivate struct State {
            var waiter: CheckedContinuation<Answer, any Error>?
            var hasEnded = false
            var head: [UInt8] = []
            var message: Message?
            var hasHead = false
            var interimBytes = 0
            var trailers: [UInt8] = []
            var body = Data()
            /// Why this end of the exchange gave up, where it did.
            var refusal: ServiceError?
            var ending: BodyStream.Ending?
            /// How much of an answer that refuses the request's body is to come; nil where that is not known.
            var rest: Int64?
        }

        let request: CurlRequest
        let limits: Limits
        let clock: CurlClock
        /// The bytes of the request's body; nil where there is none.
        let upload: CurlUpload?
        /// Where a streamed body goes.
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

        /// Registers who waits. False, with the waiter resumed, where the transfer has ended before it began.
        func begin(_ waiter: CheckedContinuation<Answer, any Error>) -> Bool {
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiter = waiter }
                return state.hasEnded
            }
            if hasEnded { waiter.resume(throwing: CancellationError()) }
            return !hasEnded
        }

        var hasEnded: Bool { state.withLock { $0.hasEnded } }

        /// What is known once the last byte of a stream has come.
        var ending: BodyStream.Ending? { state.withLock { $0.ending } }
    }

    extension CurlTransfer {
        /// Takes a line of a head, or of trailers once the head is there. False gives up.
        func takeHead(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            clock.touch()
            let (goesOn, isAnswer, waiter, head) = state.withLock { state in
                if state.isFirstLine, !request.offersHTTP2, let flaw = bytes.versionFlaw { state.refuse(flaw) }
                let isEnd = state.addToHead(bytes, limit: limits.head) && state.refusal == nil
                let isAnswer = isEnd && state.endHead()
                let begins = isAnswer && pipe != nil
                return (state.refusal == nil, isAnswer, begins ? state.waiter.take() : nil, begins ? state.head : [])
            }
            waiter?.resume(returning: Answer(head: head, body: Data(), metrics: TransportMetrics()))
            if isAnswer {
                if request.isSecure { clock.iteration.note(self) }
                if upload != nil { tellUpload(of: 0) }
            }
            return goesOn
        }

        /// Counts an answer that may come before the request's body is out: it may refuse the rest.
        private func tellUpload(of bytes: Int) {
            let isWhole = state.withLock { state in
                if bytes == 0 { state.expectRefusal(of: request) }
                if let rest = state.rest { state.rest = rest - Int64(bytes) }
                return state.isAnswerWhole
            }
            if bytes == 0 || isWhole { upload?.hear(isWhole: isWhole) }
        }

        /// Takes bytes of the body, as long as the cap allows and the reader follows.
        func takeBody(_ bytes: UnsafeBufferPointer<UInt8>) -> errand_body_result {
            clock.touch()
            if let pipe {
                if pipe.isFull {
                    clock.pause()
                    // The reader goes on where it sees the pause: it may have made room just before.
                    if pipe.isFull { return errand_body_later }
                    clock.goOn()
                }
                _ = pipe.write(Data(buffer: bytes))
                if upload != nil { tellUpload(of: bytes.count) }
                return errand_body_taken
            }
            defer { if upload != nil { tellUpload(of: bytes.count) } }
            return state.withLock { state in
                if let limit = limits.body, bytes.count > limit - state.body.count {
                    state.refuse(.bodyTooLarge(limit))
                    return errand_body_refused
                }
                if state.body.isEmpty { state.makeRoom(for: bytes.count, of: request, limit: limits.body) }
                state.body.append(bytes)
                return errand_body_taken
            }
        }
    }

    extension CurlTransfer {
        /// Refuses a response that consists of framing. libcurl skips chunk extensions without a limit.
        func refuseFraming() {
            let error = ServiceError(
                .badResponse,
                "the framing of the response, such as chunk extensions, exceeds its limit of \(ERRAND_FRAMING_LIMIT) bytes "
                    + "and \(ERRAND_FRAMING_PER_BYTE) for each byte of the body")
            state.withLock { $0.refuse(error) }
        }

        /// Gives bytes of the request's body, as ``CurlUpload/read(into:)``.
        func giveBody(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> Int64 {
            clock.touch()
            let given = upload?.read(into: bytes) ?? 0
            // Once there is an answer, a silent source is no reason to wait for ever.
            if given == CurlUpload.Given.none, state.withLock({ !$0.hasHead }) { clock.pause() }
            return given
        }
    }

    extension CurlTransfer {
        /// Ends the exchange as the engine reports it.
        func complete(_ outcome: CurlOutcome) {
            upload?.stop()
            let (waiter, failure, answer) = state.withLock {
                state -> (CheckedContinuation<Answer, any Error>?, ServiceError?, Answer) in
                state.hasEnded = true
                let isAnswered = state.isAnswerWhole && state.refusal == nil
                var failure = isAnswered ? nil : state.refusal ?? upload?.failure ?? outcome.failure
                // libcurl takes a connection that closes within the head as its end.
                if failure == nil, !state.hasHead {
                    failure = ServiceError(.connectionLost, "the connection was closed within the head")
                }
                let answer = Answer(
                    head: state.head, message: state.message, body: state.body, metrics: outcome.metrics)
                state.body = Data()
                do throws(ServiceError) {
                    let trailers = try MessageHead.fields(in: state.trailers)
                    state.ending = BodyStream.Ending(trailers: trailers, metrics: outcome.metrics)
                } catch {
                    failure = failure ?? error
                }
                return (state.waiter.take(), failure, answer)
            }
            if let failure {
                waiter?.resume(throwing: failure)
                pipe?.finish(.failure(failure))
            } else {
                waiter?.resume(returning: answer)
                pipe?.finish(.success(()))
            }
        }

        /// Ends the exchange for its caller; the engine takes it off the wire by itself. False where it had ended.
        func end(_ error: any Error) -> Bool {
            let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Answer, any Error>?) in
                guard !state.hasEnded else { return (false, nil) }
                state.hasEnded = true
                state.body = Data()
                return (true, state.waiter.take())
            }
            // Only now: a body that is cut off makes libcurl end the exchange, in words of its own.
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

        var isAnswerWhole: Bool { rest.map { $0 <= 0 } ?? false }

        /// Reads the head of an answer that makes libcurl stop sending the body: 3xx, 4xx and 5xx.
        fileprivate mutating func expectRefusal(of request: CurlRequest) {
            guard hasHead, let message = readMessage(to: request), message.head.status >= 300 else { return }
            switch message.framing {
            case .none: rest = 0
            case .length(let length): rest = length
            case .chunked, .untilClose: rest = nil
            }
        }

        /// Reads the final head, which is there; nil where that can't be.
        private mutating func readMessage(to request: CurlRequest) -> CurlTransfer.Message? {
            if message == nil { message = try? CurlTransfer.Message(head, to: HTTPMethod(request.method)) }
            return message
        }

        /// Makes room for a body of which more is to come than a first part, as far as its head says how much, up to 1 MB:
        /// to grow with each part costs as many copies.
        fileprivate mutating func makeRoom(for first: Int, of request: CurlRequest, limit: Int?) {
            guard first >= 8 << 10, case .length(let length)? = readMessage(to: request)?.framing else { return }
            body.reserveCapacity(Int(min(length, Int64(limit ?? .max), 1 << 20)))
        }

        /// Adds a line to the head or to the trailers; true where it is the empty one that ends a head.
        fileprivate mutating func addToHead(_ line: UnsafeBufferPointer<UInt8>, limit: Int) -> Bool {
            if hasHead {
                // libcurl would send the request a second time after some refusals, and here are both answers.
                if line.starts(with: "HTTP/".utf8) {
                    refuse(ServiceError(.badResponse, "the answer is followed by another"))
                }
                trailers.append(contentsOf: line)
            } else {
                // As much as most have: to grow line by line costs as many copies.
                if head.isEmpty { head.reserveCapacity(512) }
                head.append(contentsOf: line)
            }
            if line.first == 0 { refuse(ServiceError(.badResponse, "a header line begins with NUL")) }
            if max(head.count + interimBytes, trailers.count) > limit {
                refuse(ServiceError(.badResponse, "the head has more than \(limit) bytes"))
            }
            return !hasHead && line.isEmptyLine
        }

        /// Takes the end of a head: interim ones are dropped (RFC 9110, section 15.2), if they are whole. True for the final
        /// one, which its reader looks at.
        fileprivate mutating func endHead() -> Bool {
            hasHead = head.drop { $0 != UInt8(ascii: " ") }.dropFirst().first != UInt8(ascii: "1")
            guard !hasHead else { return true }
            do throws(ServiceError) {
                // What follows would be of a protocol that nobody asked for (section 7.8).
                if try MessageHead(head).status == 101 {
                    refuse(ServiceError(.badResponse, "the server changes the protocol, which was not asked for"))
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
