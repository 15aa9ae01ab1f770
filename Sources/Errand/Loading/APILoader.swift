/// Runs an ``APIHandler`` over a session: make the request, send it, check the answer, parse it.
///
/// ```swift
/// let loader = APILoader(GalleryAPI(environment: .production))
/// let photos = try await loader.load(GalleryQuery(page: 1))
/// ```
/// The handler's work never runs on the caller's actor. Cancelling the caller's task ends the call within 50 ms with
/// ``ServiceError/Code/cancelled``.
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
    ///   - session: Where requests go: a `URLSession`, a test double, a session with layers. By default the platform's.
    ///   - time: What total time-outs are measured on.
    ///   - random: What idempotency keys are made from.
    public init(
        _ handler: T, session: some APISession = .platform, time: some TimeSource = .system,
        random: some RandomSource = .system
    ) {
        self.handler = handler
        self.session = session
        self.time = time
        self.random = random
    }

    /// Makes a loader: the older spelling of ``init(_:session:time:)``.
    public init(apiHandler: T, urlSession: some APISession = .platform) {
        self.init(apiHandler, session: urlSession)
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
        if Task.isCancelled { throw ServiceError.cancellation() }
        let request = try encode(data)
        let exchange = try await perform(request)
        return try decode(exchange)
    }
}

extension APILoader where T.RequestDataType == Void {
    /// Runs a call that needs no input and returns its value.
    /// - Throws: ``ServiceError``, and nothing else.
    @concurrent
    public func load() async throws(ServiceError) -> T.ResponseDataType {
        try await load(())
    }

    /// Runs a call that needs no input and returns its value with the answer's head.
    /// - Throws: ``ServiceError``, and nothing else.
    @concurrent
    public func response() async throws(ServiceError) -> Loaded<T.ResponseDataType> {
        try await response(())
    }
}

extension APILoader {
    /// A request and what came back for it.
    private struct Exchange {
        let request: APIRequest
        let head: ResponseHead
        let body: Data
        let trail: Trail

        func addContext(to error: inout ServiceError) {
            error.request = error.request ?? request.summary
            error.response = error.response ?? head
            error.body = error.body ?? body.prefix(ServiceError.bodyLimit)
            error.trail = trail
            error.takeAttempts(from: trail)
        }
    }

    private func encode(_ data: T.RequestDataType) throws(ServiceError) -> APIRequest {
        do {
            var options = handler.options(for: data)
            options.handler = T.self
            if let total = options.totalTimeout {
                let own = Deadline.after(total, on: time)
                if options.deadline.map({ own.remaining < $0.remaining }) ?? true { options.deadline = own }
            }
            if options.trail == nil { options.trail = Trail.Recorder(on: time, redaction: options.redaction) }
            var request = try APIRequest(handler.makeRequest(from: data), options: options)
            if options.idempotency == .byKey { request.addIdempotencyKey(from: random) }
            // Also before a test double, which would take what the network refuses.
            try request.checkSendable()
            return request
        } catch {
            var failure = ServiceError(wrapping: error, as: .encoding, "the handler could not make the request")
            if failure.request == nil { failure.reason = "\(T.self): \(failure.reason)" }
            throw failure
        }
    }

    private func perform(_ request: APIRequest) async throws(ServiceError) -> Exchange {
        let start = time.now
        do {
            let (head, body, metrics) = try await race(request.options.deadline) { [session] in
                let response = try await session.send(request)
                let body = try await response.body.collect(upTo: request.options.delivery.limit)
                return (response.head, body, response.metrics ?? response.body.metrics)
            }
            let attempt = Attempt(status: head.status, failure: nil, elapsed: time.now - start)
            return Exchange(
                request: request, head: head.hiding(request.options.redaction), body: body,
                trail: request.trail(endingWith: attempt, metrics))
        } catch {
            // Whatever a session makes of it: a cancelled call ends as one.
            let error = Task.isCancelled ? CancellationError() : error
            var failure = ServiceError(wrapping: error, as: .transport, "the session failed")
            failure.request = failure.request ?? request.summary
            let attempt = Attempt(status: failure.status, failure: failure.code, elapsed: time.now - start)
            failure.trail = request.trail(endingWith: attempt, nil)
            failure.takeAttempts(from: failure.trail)
            throw failure
        }
    }

    private func decode(_ exchange: Exchange) throws(ServiceError) -> Loaded<T.ResponseDataType> {
        do throws(ServiceError) {
            try validate(exchange)
            return Loaded(value: try parse(exchange.body, exchange.head), head: exchange.head, trail: exchange.trail)
        } catch {
            var failure = error
            exchange.addContext(to: &failure)
            throw failure
        }
    }

    private func validate(_ exchange: Exchange) throws(ServiceError) {
        for validator in handler.validators {
            do {
                try validator.check(exchange.request.head, exchange.head, exchange.body)
            } catch {
                throw ServiceError(wrapping: error, as: .validation, "a validator refused the answer")
            }
        }
    }

    private func parse(_ body: Data, _ head: ResponseHead) throws(ServiceError) -> T.ResponseDataType {
        do {
            return try handler.parseResponse(data: body, head: head)
        } catch {
            throw ServiceError(wrapping: error, as: .decoding, "the handler could not parse the answer")
        }
    }
}

extension ServiceError {
    /// The layer that failed last knows its own tries alone, the trail those before a replay as well.
    fileprivate mutating func takeAttempts(from trail: Trail) {
        if trail.attempts.count > attempts.count { attempts = trail.attempts }
    }
}

extension APIRequest {
    /// The call's trail at its end. The tries that layers took down are its attempts; without such a layer, there was one.
    fileprivate func trail(endingWith attempt: Attempt, _ metrics: TransportMetrics?) -> Trail {
        guard let recorder = options.trail else { return Trail() }
        recorder.recordIfFirst(attempt, metrics: metrics)
        return recorder.trail
    }

    /// Sets an `Idempotency-Key` where the handler has set none.
    fileprivate mutating func addIdempotencyKey(from random: any RandomSource) {
        guard head.value(forHTTPHeaderField: Idempotency.field) == nil else { return }
        head.setAbsent([Idempotency.field: random.uuid()])
    }
}
