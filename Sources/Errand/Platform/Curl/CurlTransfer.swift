#if os(Linux)
    import CErrandCurl

    /// One exchange on its way over libcurl: what has arrived, who waits for it, and how it ends, once.
    ///
    /// Its callbacks come one at a time, from whichever thread lets the engine act; its reader and its canceller come from
    /// anywhere.
    final class CurlTransfer: Sendable {
        /// What the head brings; with it the whole body in buffered delivery.
        struct Answer: Sendable {
            var head: [UInt8]
            var body: Data
            var metrics: TransportMetrics
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
            var hasHead = false
            var interimBytes = 0
            var trailers: [UInt8] = []
            var body = Data()
            /// Why this end of the exchange gave up, where it did.
            var refusal: ServiceError?
            var ending: BodyStream.Ending?
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
            let (goesOn, waiter, head) = state.withLock { state in
                let isEnd = state.addToHead(bytes, limit: limits.head) && state.refusal == nil
                let isAnswer = isEnd && state.endHead() && pipe != nil
                return (state.refusal == nil, isAnswer ? state.waiter.take() : nil, isAnswer ? state.head : [])
            }
            waiter?.resume(returning: Answer(head: head, body: Data(), metrics: TransportMetrics()))
            return goesOn
        }

        enum Taken: Int32 {
            case refused = 0
            case taken = 1
            case later = 2
        }

        /// Takes bytes of the body, as long as the cap allows and the reader follows.
        func takeBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Taken {
            clock.touch()
            if let pipe {
                if pipe.isFull {
                    clock.pause()
                    // The reader goes on where it sees the pause: it may have made room just before.
                    if pipe.isFull { return .later }
                    clock.goOn()
                }
                _ = pipe.write(Data(buffer: bytes))
                return .taken
            }
            return state.withLock { state in
                if let limit = limits.body, bytes.count > limit - state.body.count {
                    state.refuse(.bodyTooLarge(limit))
                    return .refused
                }
                state.body.append(bytes)
                return .taken
            }
        }
    }

    extension CurlTransfer {
        /// Gives bytes of the request's body, as ``CurlUpload/read(into:)``.
        func giveBody(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> Int64 {
            clock.touch()
            let given = upload?.read(into: bytes) ?? 0
            if given == CurlUpload.Given.none { clock.pause() }
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
                var failure = state.refusal ?? upload?.failure ?? outcome.failure
                // libcurl takes a connection that closes within the head as its end.
                if failure == nil, !state.hasHead {
                    failure = ServiceError(.connectionLost, "the connection was closed within the head")
                }
                let answer = Answer(head: state.head, body: state.body, metrics: outcome.metrics)
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
            upload?.stop()
            let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Answer, any Error>?) in
                guard !state.hasEnded else { return (false, nil) }
                state.hasEnded = true
                state.body = Data()
                return (true, state.waiter.take())
            }
            waiter?.resume(throwing: error)
            if isFirst { pipe?.finish(.failure(error)) }
            return isFirst
        }
    }

    extension CurlTransfer.State {
        fileprivate mutating func refuse(_ error: ServiceError) {
            refusal = refusal ?? error
        }

        /// Adds a line to the head or to the trailers; true where it is the empty one that ends a head.
        fileprivate mutating func addToHead(_ line: UnsafeBufferPointer<UInt8>, limit: Int) -> Bool {
            if hasHead {
                trailers.append(contentsOf: line)
            } else {
                head.append(contentsOf: line)
            }
            if max(head.count + interimBytes, trailers.count) > limit {
                refuse(ServiceError(.badResponse, "the head has more than \(limit) bytes"))
            }
            return !hasHead && line.isEmptyLine
        }

        /// Takes the end of a head: interim ones are dropped (RFC 9110, section 15.2), 101 is final. True for that.
        fileprivate mutating func endHead() -> Bool {
            let status = head.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix(3)
            hasHead = status.first != UInt8(ascii: "1") || status.elementsEqual("101".utf8)
            if !hasHead {
                interimBytes += head.count
                head.removeAll(keepingCapacity: true)
            }
            return hasHead
        }
    }

    extension UnsafeBufferPointer<UInt8> {
        fileprivate var isEmptyLine: Bool {
            count == 1 && self[0] == UInt8(ascii: "\n")
                || count == 2 && self[0] == UInt8(ascii: "\r") && self[1] == UInt8(ascii: "\n")
        }
    }
#endif
