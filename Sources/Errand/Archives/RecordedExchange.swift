import ErrandSupport

/// An exchange that is being recorded. Its contents can be requested at any time.
package final class RecordedExchange: Sendable {
    private struct State: Sendable {
        /// The secrets of the API call. `nil` after the end of the exchange.
        var carried: CarriedSecrets?
        /// The secrets of the API call at the end of the exchange.
        var secrets: Set<String> = []
        var head: ResponseHead?
        var wait = Duration.zero
        var body = Data()
        /// The number of received bytes, or `nil` if the body is not recorded.
        var size: Int64? = 0
        var chunks: [HTTPArchive.Chunk] = []
        var failure: String?
        var duration: Duration?
    }

    /// The maximum number of chunks with their times: 10,000. Later bytes belong to the last one.
    private static let chunkLimit = 10_000

    private let head: URLRequest
    private let late: [HeaderFields.Field]
    private let requestBody: HTTPArchive.Body?
    private let redaction: Redaction
    private let time: any TimeSource
    private let date: Date
    private let start: Duration
    private let limit: Int
    private let state: Locked<State>
    /// Called with the number of newly recorded bytes.
    private let grow: @Sendable (Int) -> Void

    /// Starts to record.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The maximum number of recorded bytes of each body.
    ///   - grow: Called with the number of newly recorded bytes.
    package init(_ request: APIRequest, limit: Int, grow: @escaping @Sendable (Int) -> Void = { _ in }) {
        (head, late, self.limit, self.grow) = (request.base, request.late, max(0, limit), grow)
        requestBody = Self.body(of: request, limit: self.limit)
        redaction = request.options.redaction
        request.options.trail?.secrets.note(request)
        state = Locked(State(carried: request.secrets))
        time = request.options.time
        (date, start) = (time.date, time.now)
    }

    /// The number of recorded bytes of the request.
    package var initialSize: Int {
        let fields = (head.allHTTPHeaderFields ?? [:]).reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        return fields + (head.url?.absoluteString.utf8.count ?? 0) + (requestBody?.bytes.count ?? 0)
    }

    /// The exchange so far, with its secrets. It does not change later.
    package var unredacted: HTTPArchive.Unredacted {
        let state = state.withLock { $0 }
        return HTTPArchive.Unredacted(
            entry: entry(state), redaction: redaction, secrets: state.carried?.secrets ?? state.secrets)
    }

    private func entry(_ state: State) -> HTTPArchive.Entry {
        let duration = state.duration ?? (time.now - start)
        let fields = (head.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        let request = HTTPArchive.Request(
            method: head.httpMethod ?? "GET", url: head.url?.absoluteString ?? "",
            headers: HeaderFields(fields.map { HeaderFields.Field($0.key, $0.value) } + late), body: requestBody)
        let response = state.head.map { head in
            HTTPArchive.Response(
                status: head.status, headers: head.headers,
                body: body(state, head),
                chunks: state.chunks)
        }
        return HTTPArchive.Entry(
            date: date, duration: duration, wait: state.head == nil ? duration : state.wait, request: request,
            response: response, failure: state.failure)
    }

    private func body(_ state: State, _ head: ResponseHead) -> HTTPArchive.Body {
        var body = HTTPArchive.Body(state.body, mediaType: head.headers["Content-Type"] ?? "")
        // A body that is still being received, or that failed, is longer than the recorded one.
        let isEnded = state.duration != nil && state.failure == nil
        body.size = isEnded || state.size != Int64(state.body.count) ? state.size : nil
        return body
    }

    private static func body(of request: APIRequest, limit: Int) -> HTTPArchive.Body? {
        let type = request.value(ofField: "Content-Type") ?? ""
        switch request.body {
        case .none: return nil
        case .data(let data):
            return HTTPArchive.Body(data.copiedPrefix(limit), mediaType: type, size: Int64(data.count))
        case .multipart(let multipart) where multipart.isInMemory:
            let data = multipart.data ?? Data()
            return HTTPArchive.Body(data.copiedPrefix(limit), mediaType: type, size: Int64(data.count))
        case .stream(let stream): return HTTPArchive.Body.unrecorded(mediaType: type, size: stream.length)
        case .file, .multipart: return HTTPArchive.Body.unrecorded(mediaType: type, size: nil)
        }
    }
}

extension RecordedExchange {
    /// Sends the request to a session and records the response, also while a streamed body is read.
    package func send(_ request: APIRequest, to session: any APISession) async throws -> APIResponse {
        do {
            var response = try await session.send(request)
            let (head, wait) = (response.head, time.now - start)
            state.withLock { ($0.head, $0.wait) = (head, wait) }
            grow(response.head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count })
            if !response.body.codings.names.isEmpty {
                // Secrets cannot be found in a body that is not decoded.
                state.withLock { $0.size = nil }
                finish()
            } else if let data = response.body.data {
                record(data, isChunk: false)
                finish()
            } else {
                response.body = recorded(response.body)
            }
            return response
        } catch {
            fail(error)
            throw error
        }
    }

    private func recorded(_ body: ResponseBody) -> ResponseBody {
        var result = ResponseBody(
            BodyStream(
                stop: { self.stop() }, end: { BodyStream.Ending(trailers: body.trailers, metrics: body.metrics) },
                open: {
                    var iterator = body.makeAsyncIterator()
                    return {
                        do {
                            if let chunk = try await iterator.next(isolation: #isolation) {
                                self.record(chunk, isChunk: true)
                                return chunk
                            }
                        } catch {
                            self.fail(error)
                            throw error
                        }
                        self.finish()
                        return nil
                    }
                }))
        result.codings = body.codings
        return result
    }

    private func record(_ data: Data, isChunk: Bool) {
        let now = time.now
        let added = state.withLock { state in
            let part = data.copiedPrefix(max(0, limit - state.body.count))
            state.body.append(part)
            state.size = state.size.map { $0 + Int64(data.count) }
            guard isChunk, !part.isEmpty else { return part.count }
            if state.chunks.count < Self.chunkLimit {
                state.chunks.append(HTTPArchive.Chunk(size: part.count, moment: now - start - state.wait))
                return part.count + MemoryLayout<HTTPArchive.Chunk>.stride
            } else {
                state.chunks[state.chunks.count - 1].size += part.count
            }
            return part.count
        }
        grow(added)
    }

    private func finish() {
        let now = time.now
        // `carried` keeps the request bodies in memory, so only its secrets are kept.
        let secrets = state.withLock { $0.carried }?.secrets
        let added = state.withLock { state -> Int in
            state.duration = state.duration ?? (now - start)
            guard state.carried != nil else { return 0 }
            state.carried = nil
            state.secrets = (secrets ?? []).union(state.head?.secrets?.secrets ?? [])
            return state.secrets.reduce(0) { $0 + $1.utf8.count }
        }
        grow(added)
    }

    private func fail(_ error: any Error) {
        let cause: any Error = Task.isCancelled ? CancellationError() : error
        let failure = ServiceError(wrapping: cause, as: .transport, "the session failed")
        state.withLock { $0.failure = "\(failure.code.rawValue): \(failure.reason)" }
        finish()
    }

    /// Records that a body was not read to its end.
    private func stop() {
        state.withLock { state in
            guard state.duration == nil else { return }
            state.failure = "\(ServiceError.Code.cancelled.rawValue): the body was not read to its end"
        }
        finish()
    }
}

extension HTTPArchive.Body {
    fileprivate static func unrecorded(mediaType: String, size: Int64?) -> Self {
        var body = Self(mediaType: mediaType)
        body.size = size
        return body
    }
}

extension Data {
    /// The first bytes, without keeping the others in memory.
    fileprivate func copiedPrefix(_ count: Int) -> Data { Data(Array(prefix(count))) }
}
