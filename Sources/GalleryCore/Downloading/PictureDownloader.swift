public import Errand

/// Downloads pictures into a folder, some at a time. A file with its final name is complete.
///
/// ```swift
/// let downloader = PictureDownloader(into: folder)
/// try await downloader.download(photos.map { Picture($0, size: .regular) }) { print($0) }
/// ```
/// - The file's name comes from the picture's words, identifier and variant, its extension from the bytes.
/// - A file gets its name when its picture has arrived completely. A picture that has a file is not fetched again, unless
///   the server states another size. A list of photos states no sizes, so each existing picture costs a HEAD request. If
///   that fails, or has no `Content-Length`, the file stays.
/// - A response must have status 200, the size that `Content-Length` states, and the first bytes of a known
///   ``PictureFormat``: a page of HTML or an empty body is a failure. If the end of the connection is the only end of a
///   response (RFC 9112, section 6.3), its truncation is not detected.
/// - Requests carry no credentials: pictures are on other hosts than the API.
public struct PictureDownloader: Sendable {
    /// Something to do once a picture is on disk and reported; gives a warning where that failed. It is expected to end
    /// soon when its task is cancelled.
    public typealias Afterwards = @Sendable (Picture) async -> String?

    /// The most bytes of one picture: 64 MB.
    ///
    /// Each is in memory while it arrives: at most 384 MB with the usual six at a time, 4 GB with 64.
    public static let sizeLimit: Int = 64 << 20

    /// What requests go through: a session without credentials of its own.
    public let session: any APISession
    /// Where the pictures go; made when the first one is wanted.
    public let folder: URL
    /// How many pictures are fetched at a time: 6, at least 1.
    public var concurrency: Int = 6
    /// Done after each picture that was fetched, beside the next downloads and for as many at a time: nothing.
    public var afterwards: Afterwards?
    /// Whether there is anything to do after a picture: always. Where there is not, it costs no task.
    public var needsAfterwards: @Sendable (Picture) -> Bool = { _ in true }
    /// How long the run waits at its end for what is done afterwards, in total: 3 seconds. The rest is cancelled.
    public var patience: Duration = .seconds(3)
    /// How often ``DownloadEvent/waiting`` is reported as long as the run lasts: never. At most every millisecond.
    public var heartbeat: Duration?

    /// Makes a downloader.
    public init(into folder: URL, session: some APISession = .platform) {
        self.folder = folder
        self.session = session
    }

    /// Downloads the pictures; of several with one identifier and variant only the first.
    ///
    /// - Parameters:
    ///   - pictures: What to download, in this order.
    ///   - report: Told what happens, one event after the other. When it throws, everything is stopped.
    /// - Throws: ``DownloadError`` where the folder can't be written to, `CancellationError`, or what `report` throws.
    ///   A picture that fails is an event, not an error.
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

    /// Downloads pictures that become known batch after batch, such as the pages of a list: the first ones are fetched while
    /// the next are asked for, which is as soon as no more than four times ``concurrency`` wait.
    ///
    /// - Parameters:
    ///   - batches: What to download, in this order; of several with one identifier and variant only the first.
    ///   - report: Told what happens, one event after the other, ``DownloadEvent/listed(_:)`` for each batch. When it throws,
    ///     everything is stopped.
    /// - Throws: ``DownloadError`` where the folder can't be written to, `CancellationError`, what `report` throws, and what
    ///   `batches` throws, which stops everything. A picture that fails is an event, not an error.
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
                    let folder = run.folder
                    group.addTask { try await step(action, folder, source.next) }
                }
                guard !run.isDone, let step = try await group.next() else { return }
                if let event = run.note(step) { try report(event) }
                if case .timeUp = step { return }
                if case .beat = step { group.addTask { try await beat() } }
            }
        }
    }

    private func beat() async throws -> DownloadRun.Step {
        try await Task.sleep(for: max(heartbeat ?? .seconds(1), .milliseconds(1)))
        return .beat
    }

    private func step(
        _ action: DownloadQueue.Action, _ folder: PictureFolder, _ nextBatch: @Sendable () async throws -> [Picture]?
    ) async throws -> DownloadRun.Step {
        switch action {
        case .list: return .listed(try await nextBatch())
        case .fetch(let entry): return .ended(try await end(of: entry, in: folder))
        case .follow(let picture): return .followed(picture, warning: await afterwards?(picture))
        case .limitTime:
            try await Task.sleep(for: patience)
            return .timeUp
        }
    }

    /// The picture's file, or `nil` if it has none or the server states another size.
    ///
    /// - Throws: `CancellationError` only.
    private func existing(_ entry: DownloadPlan.Entry, in folder: PictureFolder) async throws -> PictureFile? {
        let files = folder.existing(entry.name)
        guard !files.isEmpty, let size = try await statedSize(of: entry.picture) else { return files.first }
        return files.first { $0.bytes == size }
    }

    /// - Throws: `CancellationError` only.
    private func end(of entry: DownloadPlan.Entry, in folder: PictureFolder) async throws -> DownloadEvent {
        do {
            if let file = try await existing(entry, in: folder) { return .present(entry.picture, file) }
            let (data, format) = try await fetch(entry.picture)
            return .fetched(entry.picture, try folder.store(data, as: entry.name, format))
        } catch let error as DownloadError {
            return .failed(entry.picture, error)
        } catch {
            let failure = ServiceError(wrapping: error, as: .transport, "the session failed")
            if failure.code == .cancelled || Task.isCancelled { throw CancellationError() }
            return .failed(entry.picture, DownloadError(failure))
        }
    }
}
