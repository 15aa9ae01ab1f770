import Errand
import ErrandSupport
import GalleryCore

/// The output of a run, in the format of the options.
struct FetchReport {
    private struct Facts {
        let title: String
        let photographer: String
    }

    private let options: GalleryOptions
    private let time: any TimeSource
    private let mask: KeyMask
    private var screen: Screen
    private var previews: Previews
    private var facts: [ExactText: Facts] = [:]
    private var progress = Progress(total: 0)
    /// The start of the first picture.
    private var start: Duration?
    private var underWay: [Picture] = []
    private var present = 0
    /// The bytes of the fetched pictures.
    private var bytes = 0
    /// The bytes at the last heartbeat, with those of the pictures that are being fetched.
    private var received = TransferProgress(completed: 0)
    private var tally = FailureTally()
    /// The records of invalid photos, which are printed by the next method that can throw.
    private var unprinted: [PictureRecord] = []
    private(set) var hasFailures = false
    /// The number of listed pictures.
    private var known = 0
    /// The expected number of pictures, or `nil` if the server does not send it.
    private var expected: Int?
    /// Whether the list is complete.
    var isListed = false {
        didSet { updateTotal() }
    }

    init(options: GalleryOptions, console: Console, time: any TimeSource) {
        self.options = options
        self.time = time
        mask = KeyMask(options.accessKey)
        screen = Screen(
            console, showsProgress: !options.display.quiet && !options.display.explain && !options.display.verbose)
        previews = Previews(options, console)
    }

    /// The interval of progress updates between events, or `nil` without a progress line.
    var heartbeat: Duration? { screen.showsProgress ? .milliseconds(250) : nil }

    mutating func listed(_ page: GalleryPage) {
        for error in page.unreadable {
            let reason = ServiceError(wrapping: error, as: .decoding, "it can't be decoded").reason
            let masked = mask.hide(reason).singleLine()
            fail("can't decode a photo in the API's response", because: masked)
            unprinted.append(.unreadable("can't decode the photo: \(masked)"))
        }
        known += page.unreadable.count
        progress.done += page.unreadable.count
        progress.failed += page.unreadable.count
        progress.skipped += page.unreadable.count
        begin(page.photos)
        let before = (options.paging.page - 1) * options.paging.perPage
        let most = options.paging.pages * options.paging.perPage
        expected = page.total.map { min(most, max(0, max(0, $0) - before)) }
        updateTotal()
    }

    private mutating func updateTotal() {
        progress.total = isListed ? known : max(known, expected ?? 0)
        progress.isOpen = !isListed && expected == nil
    }

    /// Records the photos that were not on an earlier page, because the others are not fetched again.
    private mutating func begin(_ photos: [GalleryModel]) {
        for photo in photos {
            let id = ExactText(mask.hide(photo.id))
            guard facts[id] == nil else { continue }
            facts[id] = Facts(title: mask.hide(photo.title), photographer: mask.hide(photo.user.name))
            known += 1
        }
        guard !photos.isEmpty, start == nil else { return }
        start = time.now
        if let refusal = previews.refusal { screen.note("gallery: \(refusal)") }
    }

    mutating func add(_ event: DownloadEvent) throws(StreamClosed) {
        try printUnreadable()
        switch event {
        case .started(let picture):
            underWay.append(picture)
            received = TransferProgress(completed: received.completed, rate: received.rate)
        case .listed: break
        case .progress(let transfer): received = transfer
        case .fetched(let picture, let file):
            bytes += file.bytes
            try end(picture, .fetched, file)
        case .present(let picture, let file):
            present += 1
            progress.skipped += 1
            try end(picture, .present, file)
        case .failed(let picture, let error):
            progress.failed += 1
            received = TransferProgress(completed: received.completed, rate: received.rate)
            try end(picture, .failed, error: error)
        case .warning(let picture, let text): warn("\(picture.id.singleLine()): \(text)")
        case .abandoned(let count):
            warn("\(count == 1 ? "1 download was" : "\(count) downloads were") not reported to the server in time")
        }
        guard screen.showsProgress else { return }
        showProgress()
    }

    private mutating func showProgress() {
        progress.elapsed = start.map { time.now - $0 } ?? .zero
        progress.current = underWay.map { facts[ExactText($0.id)]?.title ?? $0.id }
        // A picture that was fetched after the last heartbeat may be larger than the bytes that it had then.
        progress.bytes = max(bytes, Int(clamping: received.completed))
        let isComplete = !progress.isOpen && progress.done + underWay.count == progress.total
        progress.bytesPerSecond = received.rate
        progress.totalBytes = isComplete ? received.total.map { Int(clamping: $0) } : nil
        screen.show(progress)
    }

    mutating func foundNothing() throws(StreamClosed) {
        // Invalid photos count as found.
        guard known == 0 else { return }
        let what = options.query.map { "No pictures match \($0.quoted)" } ?? "No pictures"
        try remark(options.paging.page > 1 ? "\(what) on page \(options.paging.page)." : "\(what).")
    }

    mutating func fail(_ reason: String) {
        hasFailures = true
        let text = "gallery: \(mask.hide(reason).singleLine(limit: 600))"
        screen.note(screen.console.emphasised(text, .red, on: screen.console.error))
    }

    /// Counts a failure, and prints it if it is one of the first.
    private mutating func fail(_ subject: String, _ name: String? = nil, because reason: String, kind: String? = nil) {
        hasFailures = true
        if tally.add(name, reason: mask.hide(kind ?? subject).singleLine(limit: 100)) { fail("\(subject): \(reason)") }
    }

    /// Prints a note about the printed commands to the error stream.
    mutating func remark(aboutCommands text: String) {
        screen.note("gallery: \(text)")
    }

    mutating func interrupted() {
        let there = progress.done - progress.failed
        let total = "\(progress.total)\(progress.isOpen ? " listed so far" : "")"
        let state = there > 0 ? "\(there) of \(total) are complete" : "no picture is complete"
        fail("interrupted, \(state). Run the same command to continue")
    }

    mutating func clear() { screen.clear() }

    /// Prints a summary, unless no pictures were listed.
    mutating func finish(after elapsed: Duration) throws(StreamClosed) {
        screen.clear()
        try printUnreadable()
        guard known > 0 else { return }
        for line in tally.summary { screen.note("gallery: \(line)") }
        let fetched = progress.done - present - progress.failed
        let tenths = (elapsed / .seconds(1) * 10).rounded() / 10
        try remark(
            "\(fetched) fetched, \(present) already there, \(progress.failed) failed: "
                + "\(ByteCount.text(bytes)) in \(tenths) s")
    }
}

extension FetchReport {
    private mutating func end(
        _ picture: Picture, _ status: PictureRecord.Status, _ file: PictureFile? = nil, error: DownloadError? = nil
    ) throws(StreamClosed) {
        progress.done += 1
        if let index = underWay.firstIndex(of: picture) { underWay.remove(at: index) }
        if let file, options.display.quiet, !options.display.json { return try preview(file) }
        let record = record(picture, status, file, error)
        if options.display.json { try screen.print(record.line) }
        if let error {
            let id = mask.hide(picture.id).singleLine(limit: 80)
            let title = record.title.singleLine(limit: 200)
            fail("\(title) (\(id))", "\(title.fitted(to: 30)) (\(id))", because: error.reason, kind: error.kind)
        } else if !options.display.json {
            try screen.print(line(record))
        }
        if let file { try preview(file) }
    }

    private mutating func preview(_ file: PictureFile) throws(StreamClosed) {
        let (picture, remark) = previews.show(file)
        if let picture { try screen.print(picture: picture) }
        if let remark { screen.note("gallery: \(remark)") }
    }

    private func record(
        _ picture: Picture, _ status: PictureRecord.Status, _ file: PictureFile?, _ error: DownloadError?
    ) -> PictureRecord {
        let folder = options.output.hasSuffix("/") ? options.output : options.output + "/"
        return PictureRecord(
            id: picture.id, title: facts[ExactText(picture.id)]?.title ?? picture.id,
            photographer: facts[ExactText(picture.id)]?.photographer ?? "", file: file.map { folder + $0.name },
            status: status, bytes: file?.bytes ?? 0, error: error.map { mask.hide($0.reason) })
    }

    private func line(_ record: PictureRecord) -> String {
        let title = record.title.singleLine(limit: 200)
        let shown = screen.console.emphasised(title, .bold, on: screen.console.output)
        let file = (record.file ?? "").singleLine()
        let note = record.status == .present ? " (already there)" : ""
        return "\(shown), by \(record.photographer.singleLine(limit: 200)): \(file)\(note)"
    }

    private mutating func printUnreadable() throws(StreamClosed) {
        defer { unprinted = [] }
        guard options.display.json else { return }
        for record in unprinted { try screen.print(record.line) }
    }

    private mutating func warn(_ text: String) {
        if !options.display.quiet { screen.note("gallery: warning: \(mask.hide(text).singleLine(limit: 600))") }
    }

    /// Prints a line that is neither a picture nor an error. It goes to standard output, or to the error stream with
    /// `--json`.
    private mutating func remark(_ text: String) throws(StreamClosed) {
        if options.display.quiet { return }
        if options.display.json { screen.note(text) } else { try screen.print(text) }
    }
}
