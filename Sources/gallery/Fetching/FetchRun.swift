import Errand
import GalleryCore

/// A run of `gallery fetch`: lists the photos, downloads their pictures and prints a summary.
struct FetchRun<Time: TimeSource>: Sendable {
    let options: GalleryOptions
    let console: Console
    let time: Time

    init(options: GalleryOptions, console: Console, time: Time) throws(UsageError) {
        var options = options
        options.output = try OutputPath.resolved(options.output)
        self.options = options
        self.console = console
        self.time = time
    }

    func run() async -> ExitStatus {
        let start = time.now
        var report = FetchReport(options: options, console: console, time: time)
        do {
            try await fetch(&report)
            try Task.checkCancellation()
            try report.finish(after: time.now - start)
        } catch let error as StreamClosed {
            report.clear()
            guard let reason = error.reason else { return .outputClosed }
            report.fail("can't write the output: \(reason)")
        } catch let error as DownloadError {
            report.fail(error.reason)
        } catch {
            guard !Task.isCancelled, !(error is CancellationError) else {
                report.interrupted()
                return .interrupted
            }
            report.fail(APIFailure.text(ServiceError(wrapping: error, as: .transport, "the run failed")))
        }
        return report.hasFailures ? .failure : .success
    }

    private func fetch(_ report: inout FetchReport) async throws {
        try await APITarget.with(options, console) { try await fetch(from: $0, &report) }
    }

    /// Downloads pictures while the next pages are loaded. If the list fails, the failure is reported and the listed
    /// pictures are downloaded anyway.
    private func fetch(from target: APITarget, _ report: inout FetchReport) async throws {
        let (listing, listed) = (Listing(target, options), ListedPhotos(KeyMask(options.accessKey)))
        var photos: [GalleryModel] = []
        var hasPhotos = false
        var files: [ExactText: String] = [:]
        var downloader = self.downloader(for: listed, target)
        downloader.heartbeat = report.heartbeat
        try await downloader.download(pictures(of: listing, listed)) { event in
            if case .listed = event, let page = listed.take() {
                report.listed(page)
                hasPhotos = hasPhotos || !page.photos.isEmpty
                if options.html { photos += page.photos }
            }
            report.isListed = listed.isComplete
            if options.html, let (picture, file) = event.file { files[ExactText(picture.id)] = file.name }
            try report.add(event)
        }
        try Task.checkCancellation()
        if let failure = await listing.failure {
            if failure.code == .notSent {
                if target.isOwn {
                    report.remark(aboutCommands: APITarget.commandNote)
                }
                return
            }
            report.fail(APIFailure.text(failure))
        } else if !hasPhotos {
            try report.foundNothing()
        }
        if !photos.isEmpty { writeSheet(photos, files, &report) }
    }

    /// Returns the pictures, page by page. The stream throws ``StreamClosed`` if a request can't be printed.
    private func pictures(of listing: Listing, _ listed: ListedPhotos) -> AsyncThrowingStream<[Picture], any Error> {
        // A key that a server repeats must not be part of a file name.
        let mask = KeyMask(options.accessKey)
        let size = options.size
        return AsyncThrowingStream {
            guard let page = await listing.next() else {
                listed.complete()
                if let closed = await listing.failure?.underlying as? StreamClosed { throw closed }
                return nil
            }
            listed.add(page)
            return page.photos.map { photo in
                let picture = Picture(photo, size: size)
                return Picture(
                    id: mask.hide(picture.id), words: mask.hide(picture.words), variant: picture.variant,
                    url: picture.url)
            }
        }
    }

    /// Writes the web page of the complete pictures. It replaces an older page.
    private func writeSheet(_ photos: [GalleryModel], _ files: [ExactText: String], _ report: inout FetchReport) {
        let mask = KeyMask(options.accessKey)
        var left = files
        let tiles = photos.compactMap { photo -> ContactSheet.Tile? in
            left.removeValue(forKey: ExactText(mask.hide(photo.id))).map { (photo, $0) }
        }
        let title = options.query.map { "Pictures of \($0)" } ?? "New pictures"
        let page = URL(filePath: options.output, directoryHint: .isDirectory).appending(path: "index.html")
        // An older page is better than an empty one.
        guard !tiles.isEmpty else { return }
        guard isOurs(page) else {
            return report.fail("\(page.lastPathComponent) was not replaced: it was not written by this program")
        }
        do {
            try Data(ContactSheet(tiles, title: title, key: options.accessKey).html.utf8).write(
                to: page, options: .atomic)
        } catch {
            report.fail("can't write \(page.lastPathComponent): \(error.localizedDescription)")
        }
    }

    /// Whether a page may be written: the file does not exist, is empty, or was written by this program.
    private func isOurs(_ page: URL) -> Bool {
        guard FileManager.default.fileExists(atPath: page.path) else { return true }
        guard let there = try? Data(contentsOf: page) else { return false }
        return there.isEmpty || there.range(of: Data(ContactSheet.mark.utf8)) != nil
    }

    private func downloader(for photos: ListedPhotos, _ target: APITarget) -> PictureDownloader {
        let folder = URL(filePath: options.output, directoryHint: .isDirectory)
        var downloader = PictureDownloader(into: folder, session: target.session)
        downloader.concurrency = options.concurrency
        downloader.followUp = DownloadNotice(photos, target).send
        downloader.needsFollowUp = { photos.downloadLocation(of: $0) != nil }
        return downloader
    }
}

extension DownloadEvent {
    /// The picture and its file if the event means that the file is complete.
    fileprivate var file: (Picture, PictureFile)? {
        switch self {
        case .fetched(let picture, let file), .present(let picture, let file): (picture, file)
        case .listed, .started, .failed, .warning, .abandoned, .progress: nil
        }
    }
}
