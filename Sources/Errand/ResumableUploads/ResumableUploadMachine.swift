import ErrandSupport

/// Decides after each response which request of an upload follows. It does no I/O.
///
/// ```swift
/// var machine = ResumableUploadMachine(.tus, for: content, at: url)
/// machine.start(resuming: nil)                            // .run(.create, after: 0 s)
/// try machine.next(after: .success(head), moment)         // .run(.send(0..<1000), after: 0 s)
/// ```
package struct ResumableUploadMachine: Sendable {
    /// The next action.
    package enum Action: Sendable, Hashable {
        /// Send the request of a step after a wait.
        case run(UploadStep, after: Duration = .zero)
        /// Return the last response. The state file is removed, unless a later run can continue the upload.
        case finish(keepingState: Bool)
    }

    /// The circumstances of a decision.
    package struct Moment: Sendable {
        /// A random number from 0 to 1.
        package var draw: Double
        /// The wall-clock time, for dates in response headers.
        package var date: Date

        package init(draw: Double, date: Date = Date()) {
            (self.draw, self.date) = (draw, date)
        }
    }

    /// The maximum `Retry-After` that is obeyed: 60 seconds.
    package static let maximumWait: Duration = .seconds(60)
    /// The maximum size of a chunk after a first response with status 413: 8 MB.
    package static let reducedChunk: Int64 = 8 << 20
    /// The minimum size of a chunk that a status 413 reduces: 256 kB.
    package static let smallestChunk: Int64 = 256 << 10

    package let rules: any UploadRules
    private let settings: ResumableUploadProtocol
    private let creation: APIRequest
    private var limits = UploadLimits()
    /// The maximum size of a chunk after a response with status 413.
    private var reduced: Int64?
    /// The highest number of stored bytes so far.
    private var best: Int64 = 0
    /// The number of failures since ``best`` has grown.
    private var failures = 0

    /// The present step.
    package private(set) var step: UploadStep = .create
    /// The URL of the upload, or `nil` before it is created.
    package private(set) var upload: URL?

    /// Creates the machine of one API call.
    ///
    /// - Parameters:
    ///   - settings: The protocol and its settings.
    ///   - content: The content of the upload.
    ///   - creation: The request that creates the upload.
    package init(_ settings: ResumableUploadProtocol, for content: UploadContent.Facts, by creation: APIRequest) {
        (self.settings, self.creation) = (settings, creation)
        rules = settings.rules(for: content)
    }

    /// Returns the first action: to ask for the offset of a stored upload, or to create one.
    package mutating func start(resuming upload: URL?) -> Action {
        self.upload = upload
        return run(upload == nil ? .create : .findOffset)
    }

    /// Returns the action after the response to the last step, or after its failure.
    ///
    /// - Throws: The failure, if it is permanent or the number of attempts is reached. ``ServiceError`` with
    ///   ``ServiceError/Code/badResponse`` if a response violates the protocol, and with
    ///   ``ServiceError/Code/bodyTooLarge`` if the content exceeds a limit of the server.
    package mutating func next(
        after result: Result<ResponseHead, ServiceError>, _ moment: Moment
    ) throws(ServiceError) -> Action {
        switch result {
        case .failure(let error):
            guard error.isInterruption, let action = retry(error.retryAfter, moment) else { throw error }
            return action
        case .success(let head): return try next(after: head, moment)
        }
    }
}

extension ResumableUploadMachine {
    private mutating func run(_ step: UploadStep, after wait: Duration = .zero) -> Action {
        self.step = step
        return .run(step, after: wait)
    }

    private mutating func next(after head: ResponseHead, _ moment: Moment) throws(ServiceError) -> Action {
        switch try rules.meaning(of: head, after: step) {
        case .final: return .finish(keepingState: false)
        case .rejected: return .finish(keepingState: [401, 403, 407].contains(head.status))
        case .created(let location, let limits):
            upload = try UploadAddress.url(location, from: head.url, for: creation)
            try apply(limits)
            return run(chunk(at: 0))
        case .stored(let offset, let limits):
            if let limits { try apply(limits) }
            return try goOn(at: offset, moment)
        case .missing:
            upload = nil
            return retry(nil, moment) ?? .finish(keepingState: false)
        case .tooLarge:
            guard reduceChunk() else { return .finish(keepingState: false) }
            fallthrough
        case .interrupted:
            return retry(RetryAfter.wait(head.headers, now: moment.date), moment) ?? .finish(keepingState: true)
        }
    }

    private mutating func apply(_ limits: UploadLimits) throws(ServiceError) {
        self.limits = limits
        guard let size = limits.size, size < rules.content.size else { return }
        throw ServiceError(.bodyTooLarge, "expected at most \(size) bytes, the limit of the server, found more")
    }

    /// Continues at the number of stored bytes.
    private mutating func goOn(at offset: Int64, _ moment: Moment) throws(ServiceError) -> Action {
        guard offset <= rules.content.size else {
            throw ServiceError(
                .badResponse,
                "expected at most \(rules.content.size) stored bytes, found \(offset): the URL is that of another upload"
            )
        }
        let isProgress = offset > best
        if isProgress { (best, failures) = (offset, 0) }
        if isProgress || step == .findOffset { return run(chunk(at: offset)) }
        guard let action = retry(nil, moment) else {
            throw ServiceError(
                .badResponse,
                "expected the server to store bytes, found none stored in \(max(1, settings.attempts)) attempts")
        }
        return action
    }

    /// Returns the action after a temporary failure, or `nil` if the number of attempts is reached or the server
    /// requires a long wait. The first request after the loss of an upload needs no wait.
    private mutating func retry(_ asked: Duration?, _ moment: Moment) -> Action? {
        failures += 1
        guard failures < max(1, settings.attempts), asked ?? .zero <= Self.maximumWait else { return nil }
        let isLost = upload == nil && step != .create
        let own = isLost && failures == 1 ? .zero : settings.backoff.wait(before: failures, draw: moment.draw)
        return run(upload == nil ? .create : .findOffset, after: max(own, asked ?? .zero))
    }
}

extension ResumableUploadMachine {
    /// Returns the step that sends the bytes from an offset.
    private func chunk(at offset: Int64) -> UploadStep {
        let left = rules.content.size - offset
        let granularity = rules.granularity
        var size = left
        for limit in [settings.chunk, limits.maximumChunk, reduced].compactMap(\.self) { size = min(size, limit) }
        size = max(size, limits.minimumChunk ?? 1)
        guard size < left else { return .send(offset..<rules.content.size) }
        size = max(size / granularity, 1) * granularity
        return .send(offset..<offset + min(size, left))
    }

    /// Reduces the size of chunks after a status 413. Returns `false` if the request was small.
    private mutating func reduceChunk() -> Bool {
        // `count` would be an Int, which has 32 bits on some platforms.
        guard case .send(let range) = step, case let size = range.upperBound - range.lowerBound,
            size > Self.smallestChunk
        else { return false }
        reduced = max(min(size / 4, Self.reducedChunk), Self.smallestChunk)
        return true
    }
}

extension ServiceError {
    /// Whether a later attempt may succeed.
    fileprivate var isInterruption: Bool {
        [.connection, .connectionLost, .timeout, .circuitOpen, .rateLimited].contains(code)
    }
}
