import ErrandSupport

extension Trail.Source {
    /// An upload with a ``ResumableUploadProtocol``.
    public static let upload: Self = .init("upload")
}

/// A session that uploads a content instead of sending a request: it creates the upload, sends the content, continues
/// after interruptions, and returns the last response.
struct ResumableUploadSession: APISession {
    let session: any APISession
    let settings: ResumableUploadProtocol
    /// The URL of the state file.
    let state: URL
    let meter: TransferMeter
    /// Returns the content. If `nil`, it is the body of the request.
    let content: @Sendable () throws -> RequestBody?

    func send(_ request: APIRequest) async throws -> APIResponse {
        guard !["GET", "HEAD"].contains(request.method.rawValue) else {
            throw ServiceError(
                .configuration,
                "expected a request that creates an upload, such as a POST, found a \(request.method) request")
        }
        var creation = request
        let body = try separated(&creation)
        guard body != .file(state) else {
            throw ServiceError(.configuration, "expected a new file for the state, found the file of the content")
        }
        let content = try UploadContent(body)
        do {
            let file = try UploadStateFile(state)
            var run = ResumableUploadRun(self, creation, content, file)
            return try await run.response()
        } catch var error as ServiceError {
            // The URL of the upload permits to continue it, so errors name the creation request.
            error.request = creation.summary
            throw error
        }
    }

    /// Returns the content. A request without separate content loses its body. The other protocols than that of Google
    /// have no metadata in the body of the request.
    private func separated(_ creation: inout APIRequest) throws -> RequestBody {
        let body = creation.body
        do {
            let content = try content()
            if content == nil || settings.kind != .googleSession { creation.body = .none }
            return content ?? body
        } catch {
            throw ServiceError(wrapping: error, as: .encoding, "the handler could not make the request")
        }
    }
}

/// One run of an upload.
private struct ResumableUploadRun {
    private let session: any APISession
    private let meter: TransferMeter
    private let creation: APIRequest
    private let content: UploadContent
    private let file: UploadStateFile
    private var requests: UploadRequests
    private var machine: ResumableUploadMachine
    /// The state as it is in the file, if the upload was created.
    private var state: UploadState

    init(
        _ upload: ResumableUploadSession, _ creation: APIRequest, _ content: UploadContent, _ file: UploadStateFile
    ) {
        (session, meter) = (upload.session, upload.meter)
        (self.creation, self.content, self.file) = (creation, content, file)
        machine = ResumableUploadMachine(upload.settings, for: content.facts, by: creation)
        requests = UploadRequests(creation: creation, rules: machine.rules)
        state = UploadState(
            protocol: upload.settings.kind.rawValue, creation: creation, content: content.identity)
    }

    /// Runs the upload, and returns its last response.
    mutating func response() async throws -> APIResponse {
        let time = creation.options.time
        state.upload = try stored()
        var action = machine.start(resuming: state.upload)
        while case .run(let step, let wait) = action {
            if wait > .zero { try await time.sleep(until: time.now + wait) }
            try Task.checkCancellation()
            let result = try await attempt(step)
            action = try next(after: result)
            report(action, after: result)
            guard case .finish(let keepsState) = action, case .success(let response) = result else { continue }
            if !keepsState { file.remove() }
            return response
        }
        throw CancellationError()
    }

    /// Returns the next action, and writes the state for it.
    private mutating func next(
        after result: Result<APIResponse, ServiceError>
    ) throws(ServiceError) -> ResumableUploadMachine.Action {
        let (step, options) = (machine.step, creation.options)
        let action: ResumableUploadMachine.Action
        do throws(ServiceError) {
            action = try machine.next(
                after: result.map(\.head), .init(draw: options.random.fraction(), date: options.time.date))
        } catch {
            // The caller decides whether to upload again, and can do so with the same state file.
            if error.code == .responseLost { file.remove() } else { try? save() }
            throw error
        }
        try save()
        if step != .create, case .run(.create, _) = action { requests.renewKey(from: options.random) }
        return action
    }

    /// Returns the stored upload of the same content, or `nil` if there is none.
    private func stored() throws(ServiceError) -> UploadResource? {
        let (stored, isForeign) = try file.load()
        guard let stored else {
            if isForeign { note("starts again: the state file is damaged or has another version") }
            return nil
        }
        guard stored.continues(state), var upload = stored.upload, let base = creation.url,
            let url = try? UploadAddress.url(upload.url.absoluteString, from: base, for: creation)
        else {
            note("starts again: the state file is of another content, request, account or protocol")
            return nil
        }
        upload.url = url
        return upload
    }

    /// Sends the request of a step.
    /// - Throws: `CancellationError`, or ``ServiceError`` if the content has changed.
    private func attempt(_ step: UploadStep) async throws -> Result<APIResponse, ServiceError> {
        var request = try requests.request(for: step, to: machine.upload, content)
        request.options.uploadMeter = nil
        if case .send(let range) = step {
            meter.begin(at: range.lowerBound, total: content.facts.size)
            request.options.uploadMeter = TransferMeter(
                partOf: meter, at: range.lowerBound, of: content.facts.size)
        }
        do {
            return .success(try await session.send(request))
        } catch {
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            return .failure(ServiceError(wrapping: error, as: .transport, "the session failed"))
        }
    }

    /// Writes a new upload before its content is sent, and whether it may be complete before the last bytes are sent. A
    /// lost upload remains until the next one is created.
    private mutating func save() throws(ServiceError) {
        var upload = machine.upload ?? state.upload
        if machine.upload == nil { upload?.mayBeComplete = false }
        guard upload != state.upload else { return }
        state.upload = upload
        try file.save(state)
    }

    /// Sets the progress, and notes an interruption in the trail.
    private func report(_ action: ResumableUploadMachine.Action, after result: Result<APIResponse, ServiceError>) {
        let size = content.facts.size
        switch action {
        case .run(.send(let range), _): meter.begin(at: range.lowerBound, total: size)
        case .run(let step, let wait):
            let cause =
                switch result {
                case .success(let response): "status \(response.head.status)"
                case .failure(let error): error.code.rawValue
                }
            let next = step == .create ? "creates a new upload" : "asks for the stored bytes"
            note("interrupted: \(cause); \(next) in \(wait.milliseconds) ms")
        case .finish:
            guard case .success(let response) = result, response.head.isSuccess else { return }
            meter.begin(at: size, total: size)
        }
    }

    private func note(_ text: String) { creation.options.trail?.note(text, from: .upload) }
}
