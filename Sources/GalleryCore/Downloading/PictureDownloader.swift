public import Errand

/// Downloads pictures concurrently into a folder. A file with its final name is complete.
///
/// ```swift
/// let downloader = PictureDownloader(into: folder)
/// try await downloader.download(photos.map { Picture($0, size: .regular) }) { print($0) }
/// ```
/// - The file name consists of the picture's words, identifier and variant. The extension is derived from the bytes.
/// - A file gets its final name when its picture is complete. A picture with an existing file is not fetched again
///   unless the server states another size. A list of photos does not contain sizes, so each existing picture costs a
///   HEAD request. If this request fails or its response has no `Content-Length`, the file is kept.
/// - Until it is complete, a picture is in a hidden file in the same folder. If the server sends a strong validator,
///   the next run continues this file after a failure or the end of the process. See the `download(_:to:options:)` of
///   `APILoader`. Hidden files that did not change for 7 days are removed at the start of a run.
/// - A picture must have the size in `Content-Length` and the first bytes of a supported ``PictureFormat``. An HTML page
///   or an empty body is a failure. If only the end of the connection ends a response (RFC 9112, section 6.3),
///   truncation is not detected.
/// - Requests have no credentials, because pictures are on other hosts than the API.
public struct PictureDownloader: Sendable {
    /// Follow-up work for a picture that is on disk and was reported. Returns a warning if it failed, otherwise `nil`.
    /// It should end soon after its task is cancelled.
    public typealias FollowUp = @Sendable (Picture) async -> String?

    /// The maximum size of a picture in bytes: 64 MB.
    public static let sizeLimit: Int = 64 << 20

    /// The session that sends the requests. It should not add credentials.
    public let session: any APISession
    /// The folder of the pictures. It is created before the first fetch.
    public let folder: URL
    /// The maximum number of concurrent fetches. The default is 6, the minimum 1.
    public var concurrency: Int = 6
    /// Follow-up work for each fetched picture. It runs concurrently with the next downloads, for at most
    /// ``concurrency`` pictures at a time. The default is `nil`.
    public var followUp: FollowUp?
    /// Whether a picture requires ``followUp``. If not, no task is created. The default returns `true`.
    public var needsFollowUp: @Sendable (Picture) -> Bool = { _ in true }
    /// The total time that a run waits for ``followUp`` at its end. The default is 3 seconds. Unfinished work is
    /// cancelled.
    public var followUpTimeout: Duration = .seconds(3)
    /// The interval of ``DownloadEvent/progress(_:)`` events during a run, at least one millisecond. If `nil` (the
    /// default), these events are not reported.
    public var heartbeat: Duration?

    /// Creates a downloader.
    public init(into folder: URL, session: some APISession = .platform) {
        self.folder = folder
        self.session = session
    }

    /// Downloads pictures. If several have the same identifier and variant, only the first is downloaded.
    ///
    /// - Parameters:
    ///   - pictures: The pictures to download, in this order.
    ///   - report: Called with each event, one at a time. If it throws, all downloads are cancelled.
    /// - Throws: ``DownloadError`` if the folder is not writable, `CancellationError`, or an error thrown by `report`.
    ///   The failure of a picture is an event, not an error.
    public func download(_ pictures: [Picture], report: (DownloadEvent) throws -> Void) async throws {
        guard !pictures.isEmpty else { return }
        let (batches, batch) = AsyncStream<[Picture]>.makeStream()
        batch.yield(pictures)
        batch.finish()
        try await download(batches) { event in
            if case .listed = event { return }
            try report(event)
        }
    }

    /// Downloads batches of pictures, such as the pages of a list.
    ///
    /// Pictures are fetched while the next batches are requested. A batch is requested when at most four times
    /// ``concurrency`` pictures are waiting.
    ///
    /// - Parameters:
    ///   - batches: The pictures to download, in this order. If several have the same identifier and variant, only the
    ///     first is downloaded.
    ///   - report: Called with each event, one at a time, with ``DownloadEvent/listed(_:)`` for each batch. If it
    ///     throws, all downloads are cancelled.
    /// - Throws: ``DownloadError`` if the folder is not writable, `CancellationError`, or an error thrown by `report`
    ///   or `batches`. These errors cancel all downloads. The failure of a picture is an event, not an error.
    public func download<Batches: AsyncSequence & Sendable>(
        _ batches: Batches, report: (DownloadEvent) throws -> Void
    ) async throws where Batches.Element == [Picture] {
        let source = BatchSource(batches)
        var run = DownloadRun(self)
        try await withThrowingTaskGroup(of: DownloadRun.Step.self) { group in
            defer { group.cancelAll() }
            if heartbeat != nil { group.addTask { try await beat() } }
            while true {
                while let action = run.next() {
                    if case .fetch(let entry) = action {
                        try Task.checkCancellation()
                        try run.prepareFolder()
                        try report(.started(entry.picture))
                    }
                    let (folder, transfers) = (run.folder, run.transfers)
                    group.addTask { try await step(action, folder, transfers, source.next) }
                }
                guard !run.isDone, let step = try await group.next() else { return }
                if let event = run.note(step) { try report(event) }
                if case .timeUp = step { return }
                if case .heartbeat = step { group.addTask { try await beat() } }
            }
        }
    }

    private func beat() async throws -> DownloadRun.Step {
        try await Task.sleep(for: heartbeat.map(Self.interval) ?? .seconds(1))
        return .heartbeat
    }

    private func step(
        _ action: DownloadQueue.Action, _ folder: PictureFolder, _ transfers: PictureTransfers?,
        _ nextBatch: @Sendable () async throws -> [Picture]?
    ) async throws -> DownloadRun.Step {
        switch action {
        case .list: return .listed(try await nextBatch())
        case .fetch(let entry): return .ended(try await end(of: entry, in: folder, transfers))
        case .follow(let picture): return .followUpEnded(picture, warning: await followUp?(picture))
        case .limitTime:
            try await Task.sleep(for: min(followUpTimeout, Self.longestWait))
            return .timeUp
        }
    }

    /// Returns the existing file of a picture, or `nil` if there is no file or the server states another size.
    ///
    /// - Throws: `CancellationError` only.
    private func existing(_ entry: DownloadPlan.Entry, in folder: PictureFolder) async throws -> PictureFile? {
        let files = folder.existing(entry.name)
        guard !files.isEmpty, let size = try await statedSize(of: entry.picture) else { return files.first }
        return files.first { $0.bytes == size }
    }

    /// Downloads a picture if necessary and returns its final event.
    ///
    /// - Throws: `CancellationError` only.
    private func end(
        of entry: DownloadPlan.Entry, in folder: PictureFolder, _ transfers: PictureTransfers?
    ) async throws -> DownloadEvent {
        transfers?.start(entry.name)
        var isFetched = false
        defer { transfers?.end(entry.name, isFetched: isFetched) }
        do {
            if let file = try await existing(entry, in: folder) { return .present(entry.picture, file) }
            let file = try await fetch(entry, in: folder, transfers)
            isFetched = true
            return .fetched(entry.picture, file)
        } catch let error as DownloadError {
            return .failed(entry.picture, error)
        } catch {
            let failure = ServiceError(wrapping: error, as: .transport, "the session failed")
            if failure.code == .cancelled || Task.isCancelled { throw CancellationError() }
            return .failed(entry.picture, DownloadError(failure))
        }
    }

    /// The longest wait: one day. The end of a much longer one cannot be represented.
    private static let longestWait: Duration = .seconds(86_400)

    /// Returns an interval of at least one millisecond and at most one day.
    static func interval(_ heartbeat: Duration) -> Duration { min(max(heartbeat, .milliseconds(1)), longestWait) }
}
