import ErrandJSON
import ErrandSupport

/// Runs an ``APIHandler`` over a session: make the request, send it, check the answer, parse it.
///
/// ```swift
/// let loader = APILoader(GalleryAPI(environment: .production))
/// let photos = try await loader.load(GalleryQuery(page: 1))
/// ```
/// The handler's work never runs on the caller's actor. Cancelling the caller's task ends the call within 50 ms with
/// ``ServiceError/Code/cancelled``.
///
/// The deadline and cancellation also end ``ResponseHandler/defaultParseResponse(data:response:decoder:)``, except when it
/// leaves the body to Foundation's decoder. A handler's own parser can't be interrupted: the loader waits for it and discards
/// its value if the deadline has passed (``ServiceError/Code/timeout``) or the task has been cancelled.
public struct APILoader<T: APIHandler>: Sendable {
    /// The call that is run.
    public let handler: T
    /// What requests go through.
    public let session: any APISession
    let time: any TimeSource
    let random: any RandomSource

    /// Makes a loader.
    /// - Parameters:
    ///   - handler: The call.
    ///   - session: Where requests go: a `URLSession`, a test double, a session with interceptors. By default the platform's.
    ///   - time: The clock of its requests: deadlines, waits and dates of all interceptors use it.
    ///   - random: The random source of its requests: idempotency keys and the jitter of retries use it.
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

    /// The same loader for another call.
    func running<Other: APIHandler>(_ handler: Other) -> APILoader<Other> {
        APILoader<Other>(handler, over: session, on: time, from: random)
    }

    /// Runs the call and returns its value.
    /// - Throws: ``ServiceError``, and nothing else.
    @concurrent
    public func load(_ data: T.RequestDataType) async throws(ServiceError) -> T.ResponseDataType {
        try await response(data).value
    }

    /// Runs the call and returns its value with the answer's head.
    /// - Throws: ``ServiceError``, and nothing else.
    @concurrent
    public func response(_ data: T.RequestDataType) async throws(ServiceError) -> Loaded<T.ResponseDataType> {
        try await response(data) { _ in }.0
    }

    /// Runs the call, and returns what `note` makes of its request. The request is not sent if `note` throws.
    @concurrent
    func response<Note: Sendable>(
        _ data: T.RequestDataType, noting note: (APIRequest) throws -> Note
    ) async throws(ServiceError) -> (Loaded<T.ResponseDataType>, Note) {
        try ServiceError.checkCancellation()
        let (request, noted) = try encode(data, note)
        let loaded = try finish(try await perform(request, .ofAll)) { exchange throws(ServiceError) in
            try parse(exchange.body, exchange.head)
        }
        return (loaded, noted)
    }
}

extension APILoader {
    /// The most bytes of a refusal's body that ``stream(_:)`` reads: 1 MB.
    public static var refusalLimit: Int { 1 << 20 }

    /// Runs the call up to the answer's head, and gives the body as it comes: for what is too large to be held, or never
    /// ends. The handler's `parseResponse` is left out.
    ///
    /// ```swift
    /// let log = try await APILoader(LogAPI()).stream(query)
    /// for try await line in log.value.lines { … }
    /// ```
    /// The validators judge the head of an answer below 400, which they see with an empty body; an answer of 400 and more
    /// is read, at most ``refusalLimit`` bytes, so that they find what the server says. See ``RequestOptions/Delivery/streamed``.
    /// - Returns: The body, with the answer's head.
    /// - Throws: ``ServiceError``, and nothing else. Reading the body may throw what comes later.
    @concurrent
    public func stream(_ data: T.RequestDataType) async throws(ServiceError) -> Loaded<ResponseBody> {
        try ServiceError.checkCancellation()
        var (request, _) = try encode(data) { _ in }
        request.options.delivery = .streamed
        return try finish(try await perform(request, .ofRefusals)) { exchange in
            Reading.ofRefusals.reads(exchange.head) ? ResponseBody(exchange.body) : exchange.source
        }
    }
}

extension APILoader {
    /// A request and what came back for it.
    private struct Exchange {
        let request: APIRequest
        let head: ResponseHead
        let body: Data
        /// What the body was read from.
        let source: ResponseBody
        let trail: Trail

        func addContext(to error: inout ServiceError) {
            error.request = error.request ?? request.summary
            error.response = error.response ?? head
            error.body = error.body ?? body.prefix(ServiceError.bodyLimit)
            error.trail = trail
            error.takeAttempts(from: trail)
            error = error.hiding(head.secrets ?? request.secrets)
        }
    }

    private func encode<Note>(
        _ data: T.RequestDataType, _ note: (APIRequest) throws -> Note
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
            if let body = try handler.body(for: data) { request.body = body }
            if options.idempotency == .byKey { request.addIdempotencyKey(from: random) }
            // Also before a test double, which would take what the network refuses.
            try request.ensureSendable()
            return (request, try note(request))
        } catch {
            var failure = ServiceError(wrapping: error, as: .encoding, "the handler could not make the request")
            if failure.request == nil { failure.reason = "\(handler.callName): \(failure.reason)" }
            throw failure
        }
    }

    /// Which answers' bodies are read before the call goes on.
    private enum Reading {
        case ofAll, ofRefusals

        func reads(_ head: ResponseHead) -> Bool { self == .ofAll || head.status >= 400 }
    }

    /// Sends a request, and reads the answer's body where that is wanted before the call goes on.
    private func perform(_ request: APIRequest, _ reading: Reading) async throws(ServiceError) -> Exchange {
        let start = time.now
        do {
            let (response, body) =
                if let deadline = request.options.deadline {
                    try await race(deadline) { try await exchange(request, reading) }
                } else {
                    try await exchange(request, reading)
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
            // Whatever a session makes of it: a cancelled call ends as one.
            let error = Task.isCancelled ? CancellationError() : error
            var failure = ServiceError(wrapping: error, as: .transport, "the session failed")
            failure.request = failure.request ?? request.summary
            let attempt = Trail.Attempt(status: failure.status, failure: failure.code, elapsed: time.now - start)
            failure.trail = request.trail(endingWith: attempt, nil)
            failure.takeAttempts(from: failure.trail)
            request.options.trail?.secrets.note(request)
            throw failure.hiding(request.secrets)
        }
    }

    private func exchange(_ request: APIRequest, _ reading: Reading) async throws -> (APIResponse, Data) {
        let response = try await session.send(request)
        // A session that follows redirects by itself may not know the rule.
        if let reason = request.options.redirects.crossOriginRefusal, Origin(response.head.url) != Origin(request.url) {
            throw ServiceError(.badResponse, reason)
        }
        guard reading.reads(response.head) else { return (response, Data()) }
        let limit = reading == .ofAll ? request.options.delivery.limit : Self.refusalLimit
        return (response, try await response.body.collect(upTo: limit))
    }

    /// Validates a response and parses it into the call's value.
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
            // A validator has no clock.
            if failure.retryAfter != nil { failure.retryAfter = RetryAfter.wait(exchange.head.fields, now: time.date) }
            throw failure
        }
    }

    /// Lets the library's own parsers end at the deadline or when the task is cancelled, and discards what a handler's own
    /// parser returns after that.
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
        var remarks: [ServiceError] = []
        for validator in handler.validators {
            do {
                let remark = try validator.check(exchange.request.head, exchange.head, exchange.body)
                if let remark { remarks.append(remark) }
            } catch {
                var failure = ServiceError(wrapping: error, as: .validation, "a validator refused the answer")
                for remark in remarks where failure.code == .status && failure.serverError == nil {
                    failure.reason += "; \(remark.reason)"
                    failure.underlying = failure.underlying ?? remark.underlying
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
            if cause.isNoJSON, failure.reason.hasPrefix(DecodingError.noJSON), let page = head.page(in: body) {
                failure.reason = "expected JSON, found \(page)"
            }
            throw failure
        }
    }
}

extension ServiceError {
    /// The same as a stored closure, which needs no allocation for each call.
    fileprivate static let cancellationCheck: @Sendable () throws -> Void = { try checkCancellation() }

    /// The interceptor that failed last knows its own tries alone, the trail those before a replay as well.
    fileprivate mutating func takeAttempts(from trail: Trail) {
        if trail.attempts.count > attempts.count { attempts = trail.attempts }
    }
}

extension APIRequest {
    /// The call's trail at its end. The tries that interceptors took down are its attempts; without such an interceptor,
    /// there was one.
    fileprivate func trail(endingWith attempt: Trail.Attempt, _ metrics: TransportMetrics?) -> Trail {
        guard let recorder = options.trail else { return Trail() }
        recorder.recordIfFirst(attempt, metrics: metrics)
        return recorder.trail
    }

    /// Sets an `Idempotency-Key` where the handler has set none.
    fileprivate mutating func addIdempotencyKey(from random: any RandomSource) {
        guard head.value(forHTTPHeaderField: RequestOptions.Idempotency.field) == nil else { return }
        head.setAbsent([RequestOptions.Idempotency.field: random.uuid()])
    }
}
