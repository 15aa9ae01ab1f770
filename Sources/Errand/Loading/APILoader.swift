import ErrandJSON
import ErrandSupport

/// Runs an ``APIHandler``: makes the request, sends it through a session, validates the response and parses it.
///
/// ```swift
/// let loader = APILoader(GalleryAPI(environment: .production))
/// let photos = try await loader.load(GalleryQuery(page: 1))
/// ```
/// The handler never runs on the caller's actor. Cancelling the caller's task ends the API call within 50 ms with
/// ``ServiceError/Code/cancelled``.
///
/// The deadline and cancellation also end ``ResponseHandler/defaultParseResponse(data:response:decoder:)``, except if
/// it uses Foundation's decoder for the body. A handler's own parser can't be interrupted. The loader waits for it
/// and discards its value if the deadline has passed (``ServiceError/Code/timeout``) or the task has been cancelled.
public struct APILoader<T: APIHandler>: Sendable {
    /// The handler of the API call.
    public let handler: T
    /// The session that sends the requests.
    public let session: any APISession
    let time: any TimeSource
    let random: any RandomSource

    /// Creates a loader.
    /// - Parameters:
    ///   - handler: The handler of the API call.
    ///   - session: The session that sends the requests, such as a `URLSession`, a test double or a session with
    ///     interceptors. The default is the session of the platform.
    ///   - time: The clock for the deadlines, waits and dates of all interceptors. The default is the system clock.
    ///   - random: The random source for idempotency keys and the jitter of retries. The default is that of the
    ///     system.
    public init(
        _ handler: T, session: some APISession = .platform, time: some TimeSource = .system,
        random: some RandomSource = .system
    ) {
        self.init(handler, over: session, on: time, from: random)
    }

    init(
        _ handler: T, over session: any APISession, on time: any TimeSource, from random: any RandomSource
    ) {
        self.handler = handler
        self.session = session
        self.time = time
        self.random = random
    }

    /// Returns a loader for another handler, with the same session, clock and random source. Use it to extend the loader
    /// of a handler with methods for a handler that wraps it.
    public func running<Other: APIHandler>(_ handler: Other) -> APILoader<Other> {
        APILoader<Other>(handler, over: session, on: time, from: random)
    }

    /// Runs the API call and returns its value.
    /// - Throws: Only ``ServiceError``.
    @concurrent
    public func load(_ data: T.RequestDataType) async throws(ServiceError) -> T.ResponseDataType {
        try await response(data).value
    }

    /// Runs the API call and returns its value with the header section of the response.
    /// - Throws: Only ``ServiceError``.
    @concurrent
    public func response(_ data: T.RequestDataType) async throws(ServiceError) -> Loaded<T.ResponseDataType> {
        try await response(data) { _ in }.0
    }

    /// Runs the API call, and also returns the result of `prepare`, which can change the request. If `prepare` throws,
    /// the request is not sent.
    @concurrent
    func response<Note: Sendable>(
        _ data: T.RequestDataType, preparing prepare: (inout APIRequest) throws -> Note
    ) async throws(ServiceError) -> (Loaded<T.ResponseDataType>, Note) {
        try ServiceError.checkCancellation()
        let (request, noted) = try encode(data, prepare)
        let loaded = try finish(try await perform(request, .ofAll)) { exchange throws(ServiceError) in
            try parse(exchange.body, exchange.head)
        }
        return (loaded, noted)
    }
}

extension APILoader {
    /// The maximum size of an error response that ``stream(_:)`` reads: 1 MB.
    public static var errorBodyLimit: Int { 1 << 20 }

    /// Runs the API call and returns the body as a stream, for bodies that are too large for memory or never end.
    /// Returns after the header section of the response. The handler's `parseResponse` is not called.
    ///
    /// ```swift
    /// let log = try await APILoader(LogAPI()).stream(query)
    /// for try await line in log.value.lines { … }
    /// ```
    /// If the status is below 400, the validators check the header section with an empty body. If it is 400 or above,
    /// the loader first reads the body, at most ``errorBodyLimit`` bytes, so that the validators find the server's
    /// explanation. See ``RequestOptions/Delivery/streamed``.
    /// - Returns: The body, with the header section of the response.
    /// - Throws: Only ``ServiceError``. Later errors are thrown while the body is read.
    @concurrent
    public func stream(_ data: T.RequestDataType) async throws(ServiceError) -> Loaded<ResponseBody> {
        try ServiceError.checkCancellation()
        return try await stream(try streamRequest(data))
    }

    /// Returns the request of ``stream(_:)`` without sending it.
    func streamRequest(_ data: T.RequestDataType) throws(ServiceError) -> APIRequest {
        try encode(data) { $0.options.delivery = .streamed }.0
    }

    /// Sends a request of ``streamRequest(_:)`` and validates its response.
    @concurrent
    func stream(
        _ request: APIRequest, collecting bodies: CollectedBodies = .ofRefusals
    ) async throws(ServiceError) -> Loaded<ResponseBody> {
        try finish(try await perform(request, bodies)) { exchange in
            bodies.include(exchange.head) ? ResponseBody(exchange.body) : exchange.source
        }
    }
}

extension APILoader {
    /// Runs the API call with a condition. A response with status 304 is neither validated nor parsed.
    func conditionalResponse(
        _ data: T.RequestDataType, _ precondition: Precondition
    ) async throws(ServiceError) -> ConditionalResponse<T.ResponseDataType> {
        try ServiceError.checkCancellation()
        let (request, _) = try encode(data) { $0.replaceCondition(with: precondition) }
        let exchange = try await perform(request, .ofAll)
        if exchange.head.status == 304, request.allowsNotModified { return .notModified(exchange.head) }
        return .modified(
            try finish(exchange) { exchange throws(ServiceError) in try parse(exchange.body, exchange.head) })
    }
}

extension APILoader {
    /// A request and its response.
    private struct Exchange {
        let request: APIRequest
        let head: ResponseHead
        let body: Data
        /// The body of the response as a stream.
        let source: ResponseBody
        let trail: Trail

        func addContext(to error: inout ServiceError) {
            error.request = error.request ?? request.summary
            error.response = error.response ?? head
            error.body = error.body ?? body.prefix(ServiceError.bodyLimit)
            error.take(trail)
            error = error.hiding(head.secrets ?? request.secrets)
        }
    }

    private func encode<Note>(
        _ data: T.RequestDataType, _ prepare: (inout APIRequest) throws -> Note
    ) throws(ServiceError) -> (APIRequest, Note) {
        do {
            var options = handler.options(for: data)
            options.caller = handler
            (options.time, options.random) = (time, random)
            if let total = options.totalTimeout {
                let own = Deadline.after(total, on: time)
                if options.deadline.map({ own.remaining < $0.remaining }) ?? true { options.deadline = own }
            }
            if options.trail == nil { options.trail = Trail.Recorder(on: time, redaction: options.redaction) }
            var request = try APIRequest(handler.makeRequest(from: data), options: options)
            // The request must not keep the session, which may record its requests.
            request.options.maker = RequestMaker(request) { [handler] in try handler.makeRequest(from: data) }
            if let body = try handler.body(for: data) { request.replaceBody(with: body) }
            if options.idempotency == .byKey { request.addIdempotencyKey(from: random) }
            let noted = try prepare(&request)
            try request.addPrecondition()
            // Checked here too, because a test double accepts requests that the network rejects.
            try request.ensureSendable()
            return (request, noted)
        } catch {
            var failure = ServiceError(wrapping: error, as: .encoding, "the handler could not make the request")
            if failure.request == nil { failure.reason = "\(handler.callName): \(failure.reason)" }
            throw failure
        }
    }

    /// Sends a request, and collects the body of the response if `bodies` include it.
    private func perform(_ request: APIRequest, _ bodies: CollectedBodies) async throws(ServiceError) -> Exchange {
        let start = time.now
        do {
            let (response, body) =
                if let deadline = request.options.deadline {
                    try await race(deadline) { try await exchange(request, bodies) }
                } else {
                    try await exchange(request, bodies)
                }
            let attempt = Trail.Attempt(status: response.head.status, failure: nil, elapsed: time.now - start)
            var head = response.head.hiding(request.options.redaction)
            if head.secrets == nil {
                request.options.trail?.secrets.note(request)
                head.secrets = request.secrets
            }
            return Exchange(
                request: request, head: head, body: body,
                source: response.body,
                trail: request.trail(endingWith: attempt, response.metrics ?? response.body.metrics))
        } catch {
            // A session may throw another error after a cancellation. The API call always ends with `cancelled`.
            let error = Task.isCancelled ? CancellationError() : error
            var failure = ServiceError(wrapping: error, as: .transport, "the session failed")
            failure.request = failure.request ?? request.summary
            let attempt = Trail.Attempt(status: failure.status, failure: failure.code, elapsed: time.now - start)
            failure.take(request.trail(endingWith: attempt, nil))
            request.options.trail?.secrets.note(request)
            throw failure.hiding(request.secrets)
        }
    }

    private func exchange(_ request: APIRequest, _ bodies: CollectedBodies) async throws -> (APIResponse, Data) {
        let response = try await session.send(request)
        // A session that follows redirects itself may not know the rule for redirects to another origin.
        if let reason = request.options.redirects.crossOriginRefusal, Origin(response.head.url) != Origin(request.url) {
            throw ServiceError(.badResponse, reason)
        }
        guard bodies.include(response.head) else { return (response, Data()) }
        let limit = bodies == .ofAll ? request.options.delivery.limit : Self.errorBodyLimit
        return (response, try await response.body.collect(upTo: limit))
    }

    /// Validates a response and parses it into the value of the API call.
    private func finish<Value>(
        _ exchange: Exchange, _ value: (Exchange) throws(ServiceError) -> Value
    ) throws(ServiceError) -> Loaded<Value> {
        do throws(ServiceError) {
            let value = try limited(by: exchange.request.options.deadline) { () throws(ServiceError) in
                try validate(exchange)
                return try value(exchange)
            }
            return Loaded(value: value, head: exchange.head, trail: exchange.trail)
        } catch {
            var failure = error
            exchange.addContext(to: &failure)
            // A validator has no clock, so it can't evaluate a date.
            if failure.retryAfter != nil { failure.retryAfter = RetryAfter.wait(exchange.head.headers, now: time.date) }
            throw failure
        }
    }

    /// Runs validation and parsing with a limit. The library's parsers stop at the deadline and when the task is
    /// cancelled. The value of a handler's own parser is discarded if it returns after that.
    private func limited<Value>(
        by deadline: Deadline?, _ work: () throws(ServiceError) -> Value
    ) throws(ServiceError) -> Value {
        let interruption: @Sendable () throws -> Void =
            if let deadline { { try deadline.check() } } else { ServiceError.cancellationCheck }
        let result: Result<Value, ServiceError> = FastJSONDecoder.$interruption
            .withValue(interruption) { Result(catching: work) }
        try ServiceError.checkCancellation()
        let value = try result.get()
        if let deadline { try deadline.check() } else { try ServiceError.checkCancellation() }
        return value
    }

    private func validate(_ exchange: Exchange) throws(ServiceError) {
        try exchange.request.checkNotModified(exchange.head)
        var remarks: [ServiceError] = []
        for validator in handler.validators {
            do {
                let remark = try validator.check(exchange.request.head, exchange.head, exchange.body)
                if let remark { remarks.append(remark) }
            } catch {
                var failure = ServiceError(wrapping: error, as: .validation, "a validator rejected the response")
                for remark in remarks where failure.code == .status && failure.serverError == nil {
                    failure.reason += "; \(remark.reason)"
                    failure.underlying = failure.underlying ?? remark.underlying
                }
                if failure.code == .status, let meaning = exchange.request.conditionalMeaning(of: exchange.head.status)
                {
                    failure.reason += "; \(meaning)"
                }
                throw failure
            }
        }
    }

    private func parse(_ body: Data, _ head: ResponseHead) throws(ServiceError) -> T.ResponseDataType {
        do {
            return try handler.parseResponse(data: body, head: head)
        } catch {
            var failure = ServiceError(wrapping: error, as: .decoding, "the handler could not parse the response")
            guard failure.code == .decoding, let cause = failure.underlying as? DecodingError else { throw failure }
            if error is DecodingError { failure.reason = FastJSONDecoder.explanation(of: cause, in: body) }
            if cause.isNoJSON, failure.reason.hasPrefix(DecodingError.noJSON), let page = head.markup(in: body) {
                failure.reason = "expected JSON, found \(page)"
            }
            throw failure
        }
    }
}
