import Errand
import ErrandSupport

/// The state of a download run: the folder, the planned names and the queue.
struct DownloadRun {
    /// The result of a task of the run.
    enum Step: Sendable {
        /// The next batch, or `nil` at the end of the list.
        case listed([Picture]?)
        /// A picture was fetched, or failed.
        case ended(DownloadEvent)
        /// The follow-up work of a picture ended.
        case followUpEnded(Picture, warning: String?)
        /// The time for the remaining follow-up work is over.
        case timeUp
        /// The interval of the heartbeat has passed.
        case heartbeat
    }

    private(set) var folder: PictureFolder
    /// The received bytes, or `nil` if they are not reported.
    let transfers: PictureTransfers?
    /// Whether a picture requires follow-up work. `nil` if the run has no follow-up work.
    private let needsFollowUp: (@Sendable (Picture) -> Bool)?
    private var queue: DownloadQueue
    private var plan = DownloadPlan()
    private var hasFolder = false

    init(_ downloader: PictureDownloader) {
        folder = PictureFolder(url: downloader.folder)
        transfers = downloader.heartbeat.map { PictureTransfers(updatingEvery: PictureDownloader.interval($0)) }
        needsFollowUp = downloader.followUp == nil ? nil : downloader.needsFollowUp
        queue = DownloadQueue(limit: downloader.concurrency)
    }

    var isDone: Bool { queue.isDone }

    /// Returns the next action to start, or `nil` if a running action must finish first.
    mutating func next() -> DownloadQueue.Action? { queue.next() }

    /// Prepares the folder before the first fetch.
    ///
    /// - Throws: ``DownloadError`` if the folder is not writable.
    mutating func prepareFolder() throws(DownloadError) {
        guard !hasFolder else { return }
        try folder.prepare()
        hasFolder = true
    }

    /// Records the result of a task and returns the event to report, if any.
    mutating func note(_ step: Step) -> DownloadEvent? {
        switch step {
        case .listed(let pictures):
            queue.listed(pictures.map { plan.entries(for: $0) })
            return pictures.map { .listed($0) }
        case .ended(let event):
            var pictureToFollowUp: Picture?
            if case .fetched(let picture, _) = event, needsFollowUp?(picture) == true { pictureToFollowUp = picture }
            queue.ended(toFollow: pictureToFollowUp)
            return event
        case .followUpEnded(let picture, let warning):
            queue.followed()
            return warning.map { .warning(picture, $0) }
        case .timeUp: return .abandoned(queue.unfollowed)
        case .heartbeat: return transfers.map { .progress($0.sum) }
        }
    }
}

/// Lets different tasks read a sequence of batches, one after another. A call during another call, or after an error,
/// returns `nil`.
actor BatchSource {
    private var read: (() async throws -> [Picture]?)?

    init<Batches: AsyncSequence & Sendable>(_ batches: Batches) where Batches.Element == [Picture] {
        read = batches.makeReader()
    }

    /// Returns the next batch, or `nil` at the end.
    func next() async throws -> [Picture]? {
        guard let read = read.take() else { return nil }
        let batch = try await read()
        // Some sequences return `nil` when their reader is cancelled.
        if batch == nil { try Task.checkCancellation() }
        self.read = read
        return batch
    }
}
