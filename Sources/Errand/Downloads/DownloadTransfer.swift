import ErrandSupport

/// Performs the actions of a ``DownloadMachine``: sends its requests, and writes the bodies to the partial file.
struct DownloadTransfer<T: APIHandler>: Sendable {
    /// The waits between attempts: at most 0.5, 1, 2, 4 and 8 seconds.
    private static var backoff: RetryPolicy.Backoff { RetryPolicy.Backoff(base: .milliseconds(500)) }
    /// The length from which the record is stored during an attempt: 256 kB. For a shorter file, encoding and renaming
    /// the record takes longer than the download.
    private static var recordedLength: Int64 { 1 << 18 }

    private let run: DownloadRun<T>
    private let files: DownloadFiles
    /// The ledger and the index of the segment, or `nil` for a complete file.
    private let part: (ledger: SegmentLedger, index: Int)?
    private(set) var machine: DownloadMachine
    private var request: APIRequest
    /// The header section of the last response.
    private(set) var head: ResponseHead?
    /// The number of bytes from the partial file of an earlier call.
    private(set) var resumedFrom: Int64 = 0
    private var stream: ResponseBody?
    private var hash = DownloadHash()
    /// The record of the bytes of the partial file.
    private var stored: DownloadRecord?
    /// Whether ``stored`` is not on the disk yet. There is no record on the disk then.
    private var isPending = false
    /// Whether the file exceeds the limit of the caller. A session can report the same code for other reasons.
    private var exceedsLimit = false
    /// The error that ended the last attempt.
    private var failure: ServiceError?

    /// Prepares the transfer of a file. Continues the partial file if it has a usable record.
    init(
        _ run: DownloadRun<T>, _ files: DownloadFiles, _ request: APIRequest, _ identity: String
    ) throws(ServiceError) {
        (self.run, self.files, self.request, part) = (run, files, request, nil)
        do throws(FileFailure) {
            let length = try files.length()
            stored = run.options.resumes ? try files.usableRecord(identity: identity, length: length) : nil
            machine = DownloadMachine(run.options, identity: identity, record: stored, length: length)
            machine.needsName = run.place.name == nil
            resumedFrom = stored?.completed(length: length) ?? 0
        } catch {
            throw .file(error)
        }
    }

    /// Prepares the transfer of a segment.
    private init(_ whole: DownloadTransfer, _ machine: DownloadMachine, _ part: (SegmentLedger, Int)) {
        (run, files, request, self.part, self.machine) = (whole.run, whole.files, whole.request, part, machine)
    }

    /// Transfers the bytes until the file or the segment is complete.
    mutating func run() async throws(ServiceError) {
        var action = machine.firstAction
        while action != .finish {
            switch action {
            case .send: action = try await send()
            case .remake:
                request = try run.makeRequest(after: request)
                action = .send
            case .retry(let attempt, let wait):
                try await pause(attempt, atLeast: wait)
                action = .send
            case .receive(let body): action = try await receive(body)
            case .split(let record): action = try await transferSegments(of: record)
            case .finish: break
            }
        }
        // A partial file that was already complete was not transferred.
        let position = machine.position
        if part == nil, run.meter.reading.completed != position { run.meter.begin(at: position, total: position) }
    }

    private mutating func send() async throws(ServiceError) -> DownloadMachine.Action {
        failure = nil
        // Before the request, because the server or the session may not wait while a large file is read.
        if part == nil, isHashed, let first = machine.request.range?.first {
            try await hash.catchUp(with: files, to: min(first, machine.position), request.options.deadline)
        }
        var request = request
        if let range = machine.request.range { request.set(range.header) }
        if let validator = machine.request.validator { request.set(HeaderFields.Field("If-Range", validator)) }
        let loaded: Loaded<ResponseBody>
        do throws(ServiceError) {
            loaded = try await run.loader.stream(request)
            // The session may lack a decoder that it usually has.
            try loaded.value.codings.requireNone()
        } catch {
            (head, failure) = (error.response ?? head, error)
            return try machine.requestFailed(error)
        }
        head = loaded.head
        do throws(ServiceError) {
            let action = try machine.respond(to: loaded.head)
            // Any other body is released, because it could block the connection of the next request.
            if case .receive = action { stream = loaded.value }
            return action
        } catch {
            exceedsLimit = error.code == .bodyTooLarge
            throw error.with(loaded.head)
        }
    }

    private mutating func receive(_ body: DownloadMachine.Body) async throws(ServiceError) -> DownloadMachine.Action {
        guard let stream = stream.take() else { return .send }
        try await prepare(body)
        do throws(ServiceError) {
            let action = try machine.bodyEnded(try await receive(body, from: stream))
            if action != .finish { try storePending() }
            return action
        } catch {
            throw head.map(error.with) ?? error
        }
    }

    /// Writes the chunks of a body. Returns the error that ended the stream, if any.
    private mutating func receive(
        _ body: DownloadMachine.Body, from stream: ResponseBody
    ) async throws(ServiceError) -> ServiceError? {
        var chunks = stream.makeAsyncIterator()
        while true {
            let chunk: Data?
            do throws(ServiceError) {
                chunk = try await chunks.next()
            } catch {
                failure = error
                return error
            }
            guard let chunk else { return nil }
            let offset = machine.position
            do throws(ServiceError) {
                try machine.receive(chunk.count)
            } catch {
                exceedsLimit = error.code == .bodyTooLarge
                await discard(body)
                throw error
            }
            try await write(chunk, at: offset)
        }
    }

    /// Prepares the files for a body.
    private mutating func prepare(_ body: DownloadMachine.Body) async throws(ServiceError) {
        guard part == nil else { return }
        do throws(FileFailure) {
            if body.start == 0 {
                hash = DownloadHash()
                // In this order: a killed process must not leave a record that claims bytes of another representation.
                if try files.length() > 0 { try files.truncate(to: 0) }
                try files.store(nil)
                isPending = body.record != nil
            } else if stored != body.record {
                try files.store(body.record)
            }
            stored = body.record
        } catch {
            throw .file(error)
        }
        resumedFrom = min(resumedFrom, body.start)
        run.meter.begin(at: body.start, total: body.record?.total ?? (body.isPart ? nil : body.end))
        if isHashed { try await hash.catchUp(with: files, to: body.start, request.options.deadline) }
    }

    private mutating func write(_ chunk: Data, at offset: Int64) async throws(ServiceError) {
        do throws(FileFailure) {
            try files.write(chunk, at: offset)
            if let part {
                try await part.ledger.advance(part.index, to: machine.position)
            } else {
                run.meter.add(Int64(chunk.count))
                if isHashed { hash.add(chunk, at: offset) }
            }
        } catch {
            throw .file(error)
        }
        if isPending, machine.position >= Self.recordedLength { try storePending() }
    }

    /// Stores the record if it is not on the disk yet.
    private mutating func storePending() throws(ServiceError) {
        guard isPending else { return }
        do throws(FileFailure) { try files.store(stored) } catch { throw .file(error) }
        isPending = false
    }

    /// Discards the bytes of a body that is longer than announced.
    private func discard(_ body: DownloadMachine.Body) async {
        if let part {
            try? await part.ledger.advance(part.index, to: body.start)
        } else {
            try? files.truncate(to: body.start)
        }
    }

    private func pause(_ attempt: Int, atLeast least: Duration) async throws(ServiceError) {
        let options = request.options
        let wait = max(least, Self.backoff.wait(before: attempt, draw: options.random.fraction()))
        if let left = options.deadline?.remaining, left <= wait { throw failure ?? Deadline.error }
        options.trail?.note(
            "\(failure?.code.rawValue ?? "connection-lost"); resume at byte \(machine.position) in \(wait.milliseconds) ms",
            from: .download)
        do {
            try await options.time.sleep(until: options.time.now + wait)
        } catch {
            throw ServiceError(wrapping: error, as: .transport, "the wait before an attempt failed")
        }
    }
}

extension DownloadTransfer {
    /// Downloads the segments of a record at the same time.
    private mutating func transferSegments(
        of record: DownloadRecord
    ) async throws(ServiceError) -> DownloadMachine.Action {
        do throws(ServiceError) { try machine.check(record.total) } catch {
            exceedsLimit = true
            throw error
        }
        let ledger = SegmentLedger(record, files, run.meter)
        run.meter.begin(at: record.completed(length: 0), total: record.total)
        do throws(FileFailure) { try await ledger.store() } catch { throw .file(error) }
        (stored, isPending) = (record, false)
        var segments = SegmentTransfers(of: self, record, ledger)
        let failure = await segments.run(atOnce: run.options.width)
        (head, machine.announced) = (segments.head ?? head, segments.announced ?? machine.announced)
        // Also after an error or a cancellation, for a later call.
        do throws(FileFailure) { try await ledger.store() } catch { if failure == nil { throw .file(error) } }
        if let failure { return try machine.segmentsFailed(failure) }
        machine.segmentsFinished(record)
        return .finish
    }

    /// Returns the transfer of the missing bytes of a segment.
    func segment(_ index: Int, of record: DownloadRecord, _ ledger: SegmentLedger) -> DownloadTransfer? {
        guard let segment = record.segments?[index] else { return nil }
        return DownloadTransfer(self, DownloadMachine(run.options, record: record, segment: segment), (ledger, index))
    }
}

extension DownloadTransfer {
    /// Whether the hash of the file is required.
    private var isHashed: Bool { run.options.digest != nil || machine.announced != nil }

    /// The name that the server suggests.
    var fileName: SafeFileName? { (machine.record?.name ?? head?.suggestedFileName).flatMap(SafeFileName.init) }

    /// Compares the hash of the file with those that are expected.
    mutating func verifiedDigest() async throws(ServiceError) -> FileDigest? {
        guard isHashed else { return nil }
        try await hash.catchUp(with: files, to: machine.position, request.options.deadline)
        let digest = hash.digest()
        for expected in [run.options.digest, machine.announced].compactMap(\.self) where expected != digest {
            stored = nil
            let error = ServiceError(
                .badResponse, "invalid digest of the file: expected SHA-256 \(expected), found \(digest)")
            throw head.map(error.with) ?? error
        }
        return digest
    }

    /// Keeps the partial file for a later call, or removes it if it is of no use.
    mutating func fail() {
        let isUseful = stored != nil && !exceedsLimit && (try? files.length()) != 0
        if !isUseful || (try? storePending()) == nil { files.remove() }
    }
}

extension ServiceError {
    /// Returns this error with the response that it refers to.
    fileprivate func with(_ head: ResponseHead) -> ServiceError {
        var error = self
        error.response = error.response ?? head
        return error
    }
}
