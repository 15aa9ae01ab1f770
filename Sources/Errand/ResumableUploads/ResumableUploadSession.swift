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
    private let requests: UploadRequests
    private var machine: ResumableUploadMachine
    /// The state without a URL.
    private var state: UploadState

    init(
        _ upload: ResumableUploadSession, _ creation: APIRequest, _ content: UploadContent, _ file: UploadStateFile
    ) {
        (session, meter) = (upload.session, upload.meter)
        (self.creation, self.content, self.file) = (creation, content, file)
        machine = ResumableUploadMachine(upload.settings, for: content.facts, by: creation)
        requests = UploadRequests(creation: creation, rules: machine.rules)
        state = UploadState(
            protocol: upload.settings.kind.rawValue,
            creation: creation.url.map(creation.options.redaction.url) ?? "", content: content.identity, upload: "")
    }

    /// Runs the upload, and returns its last response.
    mutating func response() async throws -> APIResponse {
        let time = creation.options.time
        var action = machine.start(resuming: try stored())
        while case .run(let step, let wait) = action {
            if wait > .zero { try await time.sleep(until: time.now + wait) }
            try Task.checkCancellation()
            let result = try await attempt(step)
            let moment = ResumableUploadMachine.Moment(draw: creation.options.random.fraction(), date: time.date)
            action = try machine.next(after: result.map(\.head), moment)
            try save()
            report(action, after: result)
            guard case .finish(let keepsState) = action, case .success(let response) = result else { continue }
            if !keepsState { file.remove() }
            return response
        }
        throw CancellationError()
    }

    /// Returns the URL of a stored upload of the same content, or `nil` if there is none.
    private func stored() throws(ServiceError) -> URL? {
        let (stored, isForeign) = try file.load()
        guard let stored else {
            if isForeign { note("starts again: the state file is damaged") }
            return nil
        }
        guard stored.continues(state), let base = creation.url,
            let url = try? UploadAddress.url(stored.upload, from: base, for: creation)
        else {
            note("starts again: the state file is of another content, request or protocol")
            return nil
        }
        return url
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

    /// Writes the URL of a new upload before its content is sent.
    private mutating func save() throws(ServiceError) {
        guard let url = machine.upload?.absoluteString, url != state.upload else { return }
        state.upload = url
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
