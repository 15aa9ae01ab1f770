import Errand
import GalleryCore

/// One run of `gallery fetch`: list the photos, download their pictures, sum up.
struct FetchRun<Time: TimeSource>: Sendable {
    let options: FetchOptions
    let console: Console
    let time: Time

    init(options: FetchOptions, console: Console, time: Time) {
        var options = options
        options.output = OutputPath.resolved(options.output)
        self.options = options
        self.console = console
        self.time = time
    }

    func run() async -> ExitStatus {
        let start = time.now
        var report = FetchReport(options: options, console: console)
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
        let place = try APIPlace(options, console)
        do {
            try await fetch(from: place, &report)
            await place.close()
        } catch {
            await place.close()
            throw error
        }
    }

    /// What cut the listing short is said; the pictures listed until then are downloaded all the same.
    private func fetch(from place: APIPlace, _ report: inout FetchReport) async throws {
        let listing = await Listing(place, options) { report.listed($0) }
        try Task.checkCancellation()
        if let closed = listing.failure?.underlying as? StreamClosed { throw closed }
        if let failure = listing.failure, failure.code == .notSent {
            if place.isOwn {
                report.remark(aboutCommands: "the server in this program has ended with it; see --base-url")
            }
            return
        }
        if let failure = listing.failure { report.fail(APIFailure.text(failure)) }
        guard !listing.photos.isEmpty else {
            if listing.failure == nil { try report.foundNothing() }
            return
        }
        report.begin(listing.photos)
        // A key that a server repeats is not to stand in the name of a file either.
        let mask = KeyMask(options.accessKey)
        let pictures = listing.photos.map { photo in
            let picture = Picture(photo, size: options.size)
            return Picture(
                id: picture.id, words: mask.hide(picture.words), variant: picture.variant, address: picture.address)
        }
        try await downloader(for: listing, place).download(pictures) { try report.add($0) }
    }

    private func downloader(for listing: Listing, _ place: APIPlace) -> PictureDownloader {
        let folder = URL(filePath: options.output, directoryHint: .isDirectory)
        var downloader = PictureDownloader(into: folder, session: place.session)
        downloader.concurrency = options.concurrency
        downloader.afterwards = DownloadNotice(listing.photos, place).send
        return downloader
    }
}
