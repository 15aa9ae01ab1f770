import Errand
import GalleryCore

/// What a run tells its user, in the form that the options ask for.
struct FetchReport {
    private struct Facts {
        let title: String
        let photographer: String
    }

    private let options: FetchOptions
    private let mask: KeyMask
    private var screen: Screen
    private var facts: [ExactText: Facts] = [:]
    private var progress = Progress(total: 0)
    private var present = 0
    /// Objects for photos that can't be read, to be printed as soon as printing may fail.
    private var unprinted: [PictureRecord] = []
    private(set) var hasFailures = false

    init(options: FetchOptions, console: Console) {
        self.options = options
        mask = KeyMask(options.accessKey)
        screen = Screen(console, showsProgress: !options.quiet && !options.explain)
    }

    mutating func listed(_ page: GalleryPage) {
        if options.pages > 1 { screen.show("listing: page \(page.number) of at most \(options.pages)") }
        for error in page.unreadable {
            let reason = ServiceError(wrapping: error, as: .decoding, "it can't be decoded").reason.singleLine()
            fail("a photo in the API's answer can't be read: \(reason)")
            unprinted.append(.unreadable("the photo can't be read: \(reason)"))
        }
        progress.total += page.unreadable.count
        progress.done += page.unreadable.count
        progress.failed += page.unreadable.count
    }

    mutating func begin(_ photos: [GalleryModel]) {
        for photo in photos where facts[ExactText(photo.id)] == nil {
            facts[ExactText(photo.id)] = Facts(title: mask.hide(photo.title), photographer: mask.hide(photo.user.name))
        }
        progress.total += facts.count
    }

    mutating func add(_ event: DownloadEvent) throws(StreamClosed) {
        try printUnreadable()
        switch event {
        case .started(let picture): progress.current = facts[ExactText(picture.id)]?.title ?? picture.id
        case .fetched(let picture, let file):
            progress.bytes += file.bytes
            try end(picture, .fetched, file)
        case .present(let picture, let file):
            present += 1
            try end(picture, .present, file)
        case .failed(let picture, let error):
            progress.failed += 1
            try end(picture, .failed, error: error)
        case .warning(let picture, let text): warn("\(picture.id.singleLine()): \(text)")
        case .abandoned(let count):
            warn("the server was not told of \(count == 1 ? "1 download" : "\(count) downloads"): it takes too long")
        }
        screen.show(progress)
    }

    mutating func foundNothing() throws(StreamClosed) {
        // Photos that can't be read are not nothing.
        guard progress.total == 0 else { return }
        let what = options.query.map { "No pictures match \($0.quoted)" } ?? "No pictures"
        try remark(options.page > 1 ? "\(what) on page \(options.page)." : "\(what).")
    }

    mutating func fail(_ reason: String) {
        hasFailures = true
        let text = "gallery: \(mask.hide(reason).singleLine(limit: 600))"
        screen.note(screen.console.emphasised(text, .red, on: screen.console.error))
    }

    /// Says something about the commands that were printed, apart from them.
    mutating func remark(aboutCommands text: String) {
        screen.note("gallery: \(text)")
    }

    mutating func interrupted() {
        screen.clear()
        fail("interrupted; no partial picture is left")
    }

    mutating func clear() { screen.clear() }

    /// Sums up, where there was anything.
    mutating func finish(after elapsed: Duration) throws(StreamClosed) {
        screen.clear()
        try printUnreadable()
        guard progress.total > 0 else { return }
        let fetched = progress.done - present - progress.failed
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let tenths = (seconds * 10).rounded() / 10
        try remark(
            "\(fetched) fetched, \(present) already there, \(progress.failed) failed: "
                + "\(ByteCount.text(progress.bytes)) in \(tenths) s")
    }
}

extension FetchReport {
    private mutating func end(
        _ picture: Picture, _ status: PictureRecord.Status, _ file: PictureFile? = nil, error: DownloadError? = nil
    ) throws(StreamClosed) {
        progress.done += 1
        let record = record(picture, status, file, error)
        if options.json { try screen.print(record.line) }
        if let error {
            fail("\(record.title.singleLine(limit: 200)) (\(picture.id.singleLine(limit: 80))): \(error)")
        } else if !options.json, !options.quiet {
            try screen.print(line(record))
        }
    }

    private func record(
        _ picture: Picture, _ status: PictureRecord.Status, _ file: PictureFile?, _ error: DownloadError?
    ) -> PictureRecord {
        let folder = options.output.hasSuffix("/") ? options.output : options.output + "/"
        return PictureRecord(
            id: picture.id, title: facts[ExactText(picture.id)]?.title ?? picture.id,
            photographer: facts[ExactText(picture.id)]?.photographer ?? "", file: file.map { folder + $0.name },
            status: status,
            bytes: file?.bytes ?? 0, error: error.map { mask.hide($0.reason) })
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
        guard options.json else { return }
        for record in unprinted { try screen.print(record.line) }
    }

    private mutating func warn(_ text: String) {
        if !options.quiet { screen.note("gallery: warning: \(mask.hide(text).singleLine(limit: 600))") }
    }

    /// A line that is neither a picture nor an error: on standard output unless that is for objects only.
    private mutating func remark(_ text: String) throws(StreamClosed) {
        if options.quiet { return }
        if options.json { screen.note(text) } else { try screen.print(text) }
    }
}
