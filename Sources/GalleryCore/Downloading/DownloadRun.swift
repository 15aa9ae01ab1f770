import Errand
import ErrandSupport

/// How far a run of downloads has come: what is known, under which names, and what is next.
struct DownloadRun {
    /// What a task of a run gives.
    enum Step: Sendable {
        /// Nil: there are no more.
        case listed([Picture]?)
        case ended(DownloadEvent)
        case followed(Picture, warning: String?)
        case timeUp
        case beat
    }

    private(set) var folder: PictureFolder
    /// Nil: none.
    private let isFollowed: (@Sendable (Picture) -> Bool)?
    private var queue: DownloadQueue
    private var plan = DownloadPlan()
    private var hasFolder = false

    init(_ downloader: PictureDownloader) {
        folder = PictureFolder(url: downloader.folder)
        isFollowed = downloader.afterwards == nil ? nil : downloader.needsAfterwards
        queue = DownloadQueue(limit: downloader.concurrency)
    }

    var isDone: Bool { queue.isDone }

    /// What to start now; nil when the next thing has to end first.
    mutating func next() -> DownloadQueue.Action? { queue.next() }

    /// Makes sure that there is a folder, before the first picture is fetched.
    ///
    /// - Throws: ``DownloadError`` where it can't be written to.
    mutating func prepareFolder() throws(DownloadError) {
        guard !hasFolder else { return }
        try folder.prepare()
        hasFolder = true
    }

    /// Takes note of what a task gave; what is to be reported of it.
    mutating func note(_ step: Step) -> DownloadEvent? {
        switch step {
        case .listed(let pictures):
            queue.listed(pictures.map { plan.entries(for: $0) })
            return pictures.map { .listed($0) }
        case .ended(let event):
            var followed: Picture?
            if case .fetched(let picture, _) = event, isFollowed?(picture) == true { followed = picture }
            queue.ended(toFollow: followed)
            return event
        case .followed(let picture, let warning):
            queue.followed()
            return warning.map { .warning(picture, $0) }
        case .timeUp: return .abandoned(queue.unfollowed)
        case .beat: return .waiting
        }
    }
}

/// Gives the batches of a sequence to tasks, of which one at a time asks.
actor BatchSource {
    private var read: (() async throws -> [Picture]?)?

    init<Batches: AsyncSequence & Sendable>(_ batches: Batches) where Batches.Element == [Picture] {
        read = batches.makeReader()
    }

    /// The next batch; nil at the end.
    func next() async throws -> [Picture]? {
        guard let read = read.take() else { return nil }
        let batch = try await read()
        // Some sequences end where their reader is cancelled.
        if batch == nil { try Task.checkCancellation() }
        self.read = read
        return batch
    }
}
