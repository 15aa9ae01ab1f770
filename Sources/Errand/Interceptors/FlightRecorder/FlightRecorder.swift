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
/// The file opens in the developer tools of browsers, and replays in tests (`ReplaySession` in ErrandTesting). It has
/// no secrets. As the innermost interceptor, the recorder keeps each attempt, and as the outermost each API call. A
/// streamed body is recorded while it is read. The bodies of files and streams that are sent are not recorded.
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

    private let calls: Int
    private let bytes: Int
    private let bodyLimit: Int
    private let state = Locked(State())

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - calls: The maximum number of exchanges, 1 to 1,000. The default is 50.
    ///   - bytes: The maximum number of bytes of all URLs, headers and bodies. The default is 1 MB. The latest exchange
    ///     is always kept.
    ///   - bodyLimit: The maximum number of recorded bytes of each body. The default is 16 kB.
    public init(calls: Int = 50, bytes: Int = 1 << 20, bodyLimit: Int = 16_384) {
        (self.calls, self.bytes, self.bodyLimit) = (min(max(1, calls), 1_000), max(0, bytes), max(0, bodyLimit))
    }

    /// The recorded exchanges, without secrets.
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
        while state.slots.count > 1, state.slots.count > calls || state.size > bytes {
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
    /// The exchanges that a ``FlightRecorder`` had recorded when the API call failed, without secrets. `nil` if the
    /// session has none.
    public var har: HTTPArchive? {
        (trail.attachment?.recording as? FlightRecorder.Recording)?.archive
    }
}
