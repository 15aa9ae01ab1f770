import ErrandSupport

/// Decides after each response which request of an upload follows. It does no I/O.
///
/// ```swift
/// var machine = ResumableUploadMachine(.tus, for: content.facts, by: request)
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
    /// The highest number of stored bytes of the upload so far.
    private var best: Int64 = 0
    /// The number of failures since ``best`` has grown.
    private var failures = 0
    /// The number of uploads that this machine has created.
    private var creations = 0
    /// Whether the upload is one of an earlier run, and its server has not confirmed it yet.
    private var isUnconfirmed = false
    /// Whether the server has reported that the upload is complete.
    private var isComplete = false
    /// Whether the upload may have been complete before the present step.
    private var couldBeComplete = false

    /// The present step.
    package private(set) var step: UploadStep = .create
    /// The upload, or `nil` before it is created.
    package private(set) var upload: UploadResource?

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
    package mutating func start(resuming upload: UploadResource?) -> Action {
        self.upload = upload
        isUnconfirmed = upload != nil
        return run(upload == nil ? .create : .findOffset)
    }

    /// Returns the action after the response to the last step, or after its failure.
    ///
    /// - Throws: The failure, if it is permanent or the number of attempts is reached. ``ServiceError`` with
    ///   ``ServiceError/Code/responseLost`` if the upload is or may be complete, with
    ///   ``ServiceError/Code/badResponse`` if a response violates the protocol, and with
    ///   ``ServiceError/Code/bodyTooLarge`` if the content exceeds a limit of the server.
    package mutating func next(
        after result: Result<ResponseHead, ServiceError>, _ moment: Moment
    ) throws(ServiceError) -> Action {
        switch result {
        case .failure(let error):
            if error.isUnsent { upload?.mayBeComplete = couldBeComplete }
            guard error.isInterruption, let action = retry(error.retryAfter, moment) else { throw error }
            return action
        case .success(let head):
            let meaning = try confirmedMeaning(of: head)
            try updateCompleteness(meaning, head.status)
            return try next(after: meaning, of: head, moment)
        }
    }
}

extension ResumableUploadMachine {
    private mutating func run(_ step: UploadStep, after wait: Duration = .zero) -> Action {
        self.step = step
        couldBeComplete = upload?.mayBeComplete ?? false
        if case .send(let range) = step, range.upperBound == rules.content.size { upload?.mayBeComplete = true }
        return .run(step, after: wait)
    }

    private mutating func next(
        after meaning: UploadMeaning, of head: ResponseHead, _ moment: Moment
    ) throws(ServiceError) -> Action {
        switch meaning {
        case .final: return .finish(keepingState: false)
        case .rejected: return .finish(keepingState: [401, 403, 407].contains(head.status))
        case .created(let location, let limits):
            let url = try UploadAddress.url(location, from: head.url, for: creation)
            let isSameOrigin = [head.url, url].allSatisfy(isAtCreationOrigin)
            upload = UploadResource(url: url, isSameOrigin: isSameOrigin)
            (best, isComplete, creations) = (0, false, creations + 1)
            try apply(limits)
            return run(chunk(at: 0))
        case .stored(let offset, let limits):
            if let limits { try apply(limits) }
            return try goOn(at: offset, moment)
        case .complete(let offset):
            recordProgress(rules.content.size)
            return run(.send(offset..<offset))
        case .missing: return createAgain(moment)
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
        recordProgress(offset)
        // After a server has lost bytes, the offset can be lower than before.
        let hasStored = if case .send(let range) = step { offset > range.lowerBound } else { true }
        if hasStored { return run(chunk(at: offset)) }
        guard let action = retry(nil, moment) else {
            throw ServiceError(
                .badResponse,
                "expected the server to store bytes, found none stored in \(max(1, settings.attempts)) attempts")
        }
        return action
    }

    private mutating func recordProgress(_ offset: Int64) {
        if offset > best { (best, failures) = (offset, 0) }
    }

    /// Returns the action after the loss of an upload: a new one. It needs no wait if it is the first or the second one
    /// of this machine. The number of attempts limits the new uploads.
    private mutating func createAgain(_ moment: Moment) -> Action {
        upload = nil
        guard creations < max(1, settings.attempts) else { return .finish(keepingState: false) }
        return run(.create, after: creations < 2 ? .zero : settings.backoff.wait(before: creations, draw: moment.draw))
    }

    /// Returns the action after a temporary failure, or `nil` if the number of attempts is reached or the server
    /// requires a long wait.
    private mutating func retry(_ asked: Duration?, _ moment: Moment) -> Action? {
        failures += 1
        guard failures < max(1, settings.attempts), asked ?? .zero <= Self.maximumWait else { return nil }
        let own = settings.backoff.wait(before: failures, draw: moment.draw)
        return run(upload == nil ? .create : .findOffset, after: max(own, asked ?? .zero))
    }
}

extension ResumableUploadMachine {
    /// Returns the meaning of a response. A stored upload is missing if its first response violates the protocol, or
    /// if another origin rejects the credentials. Otherwise, it would prevent all later uploads with its state file.
    private mutating func confirmedMeaning(of head: ResponseHead) throws(ServiceError) -> UploadMeaning {
        guard isUnconfirmed else { return try meaning(of: head) }
        let meaning = (try? meaning(of: head)) ?? .missing
        if meaning == .interrupted { return meaning }
        isUnconfirmed = false
        let isForeign = upload?.isSameOrigin != true || !isAtCreationOrigin(head.url)
        return [401, 403].contains(head.status) && isForeign ? .missing : meaning
    }

    private func meaning(of head: ResponseHead) throws(ServiceError) -> UploadMeaning {
        let meaning = try rules.meaning(of: head, after: step)
        switch meaning {
        case .stored(let offset, _), .complete(let offset):
            guard offset > rules.content.size else { return meaning }
            throw ServiceError(
                .badResponse,
                "expected at most \(rules.content.size) stored bytes, found \(offset): "
                    + "the URL is that of another upload")
        case .created, .final, .missing, .interrupted, .tooLarge, .rejected: return meaning
        }
    }

    private func isAtCreationOrigin(_ url: URL) -> Bool { Origin(url) == Origin(creation.url) }
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

extension ResumableUploadMachine {
    /// Updates whether the upload is or may be complete.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/responseLost`` if it is or may be complete, and the server
    ///   has not repeated its response. A new upload would be a duplicate.
    private mutating func updateCompleteness(_ meaning: UploadMeaning, _ status: Int) throws(ServiceError) {
        if isComplete, step != .findOffset || meaning == .missing, !meaning.canRepeatResponse(status) {
            throw ServiceError(
                .responseLost,
                "expected the response of the complete upload, found status \(status): look for the content on the "
                    + "server instead of uploading it again")
        }
        switch meaning {
        case .missing where couldBeComplete:
            throw ServiceError(
                .responseLost,
                "expected the response to the last bytes, found status \(status) and no upload: it may be complete, so "
                    + "look for the content on the server before you upload it again")
        case .missing, .rejected, .tooLarge: upload?.mayBeComplete = couldBeComplete
        case .complete:
            isComplete = true
            upload?.mayBeComplete = true
        case .stored(let offset, _):
            isComplete = false
            if offset < rules.content.size { upload?.mayBeComplete = false }
        case .created, .final, .interrupted: break
        }
    }
}

extension UploadMeaning {
    /// Whether the server can still send the response of a complete upload after a response with this meaning.
    fileprivate func canRepeatResponse(_ status: Int) -> Bool {
        switch self {
        case .final: true
        // The upload was found just before. Only the credentials can have expired since then.
        case .rejected: status == 401 || status == 407
        case .interrupted: status != 409
        case .created, .stored, .complete, .missing, .tooLarge: false
        }
    }
}

extension ServiceError {
    /// Whether a later attempt may succeed.
    fileprivate var isInterruption: Bool {
        [.connection, .connectionLost, .timeout, .circuitOpen, .rateLimited].contains(code)
    }

    /// Whether the request was certainly not sent completely.
    fileprivate var isUnsent: Bool {
        [
            .configuration, .encoding, .connection, .tls, .certificate, .certificateHost, .certificateExpired,
            .certificatePin, .circuitOpen, .rateLimited,
        ].contains(code)
    }
}
