import ErrandSupport

/// Keeps the last requests and responses in memory, so that a failure can be examined after it has happened.
///
/// ```swift
/// let session = PlatformSession.platform.intercepted(by: RetryInterceptor(), FlightRecorder())
/// do {
///     photos = try await APILoader(GalleryAPI(), session: session).load(query)
/// } catch {
///     try error.har?.write(to: reports.appending(path: "failure.har"))
/// }
/// ```
/// The developer tools of browsers import the file, and `ReplaySession` in ErrandTesting replays it. The values of hidden
/// names are masked (``RequestOptions/redaction``). As the innermost interceptor, the recorder records attempts. As the
/// outermost, it records API calls. A streamed response body is recorded while it is read. Request bodies from files and
/// streams, and response bodies that the session cannot decode, are not recorded.
public final class FlightRecorder: Interceptor {
    private struct Slot: Sendable {
        let id: Int
        let exchange: RecordedExchange
        var size: Int
    }

    private struct State {
        var slots: [Slot] = []
        var size = 0
        var lastID = 0
    }

    private let entryLimit: Int
    private let byteLimit: Int
    private let bodyLimit: Int
    private let state = Locked(State())

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - entryLimit: The maximum number of entries, 1 to 1,000. The default is 50.
    ///   - byteLimit: The maximum number of bytes of all URLs, headers and bodies. The default is 1 MB. The latest entry
    ///     is always kept.
    ///   - bodyLimit: The maximum number of recorded bytes of each body. The default is 16 kB.
    public init(entryLimit: Int = 50, byteLimit: Int = 1 << 20, bodyLimit: Int = 16_384) {
        (self.entryLimit, self.byteLimit) = (min(max(1, entryLimit), 1_000), max(0, byteLimit))
        self.bodyLimit = max(0, bodyLimit)
    }

    /// The recorded entries. The values of hidden names are masked.
    public var archive: HTTPArchive { recording.archive }

    /// Sends a request and records it.
    /// - Throws: The error of the session.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let exchange = RecordedExchange(request, limit: bodyLimit) { [weak self] in self?.grow(id, by: $0) }
        state.withLock { state in
            state.slots.append(Slot(id: id, exchange: exchange, size: exchange.initialSize))
            state.size += exchange.initialSize
            trim(&state)
        }
        request.options.trail?.attach(self)
        return try await exchange.send(request, to: next)
    }

    private func grow(_ id: Int, by size: Int) {
        state.withLock { state in
            guard let index = state.slots.lastIndex(where: { $0.id == id }) else { return }
            state.slots[index].size += size
            state.size += size
            trim(&state)
        }
    }

    private func trim(_ state: inout State) {
        while state.slots.count > 1, state.slots.count > entryLimit || state.size > byteLimit {
            state.size -= state.slots.removeFirst().size
        }
    }
}

extension FlightRecorder: CallRecording {
    fileprivate struct Recording: CallRecording {
        let exchanges: [HTTPArchive.Unredacted]

        var archive: HTTPArchive { HTTPArchive(exchanges) }

        func frozen() -> any CallRecording { self }
    }

    fileprivate var recording: Recording {
        Recording(exchanges: state.withLock { $0.slots.map(\.exchange) }.map(\.unredacted))
    }

    package func frozen() -> any CallRecording { recording }
}

extension ServiceError {
    /// The entries that the session's ``FlightRecorder`` had recorded when the API call failed, including those of other
    /// API calls. `nil` if the session has no flight recorder, or if the request did not reach it.
    public var har: HTTPArchive? {
        (trail.attachment?.recording as? FlightRecorder.Recording)?.archive
    }
}
