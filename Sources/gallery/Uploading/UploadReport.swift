import Errand
import ErrandSupport
import GalleryCore

/// The output of `gallery upload`, in the format of the options.
struct UploadReport {
    private let options: GalleryOptions
    private let mask: KeyMask
    /// Whether the pictures are served after the command.
    private let isServed: Bool
    private var screen: Screen
    private var uploaded = 0
    private var failed = 0
    private var bytes: Int64 = 0
    private(set) var hasFailures = false

    init(options: GalleryOptions, console: Console) {
        self.options = options
        mask = KeyMask(options.accessKey)
        isServed = options.baseURL != nil
        screen = Screen(
            console, showsProgress: !options.display.quiet && !options.display.explain && !options.display.verbose)
    }

    mutating func show(_ progress: UploadProgress) {
        if screen.showsProgress { screen.show(progress.line(columns: screen.columns)) }
    }

    /// Reports a complete upload.
    mutating func add(_ upload: PictureUpload, from file: String, as photo: GalleryModel) throws(StreamClosed) {
        uploaded += 1
        bytes += upload.bytes
        let (id, size) = (mask.hide(photo.id), Int(clamping: upload.bytes))
        let address = isServed ? mask.hide(photo.links.html.absoluteString) : nil
        let record = UploadRecord(
            file: file, status: .uploaded, bytes: size, id: id, address: address, error: nil)
        if options.display.json { return try screen.print(record.line) }
        if options.display.quiet { return }
        let name = screen.console.emphasised(file.singleLine(), .bold, on: screen.console.output)
        let result = (address ?? "uploaded as \(id)").singleLine()
        try screen.print("\(name), \(ByteCount.text(size)): \(result)")
    }

    /// Reports a file that can't be uploaded.
    mutating func fail(_ file: String, bytes: Int64 = 0, because reason: String) throws(StreamClosed) {
        failed += 1
        let record = UploadRecord(
            file: file, status: .failed, bytes: Int(clamping: bytes), id: nil, address: nil, error: mask.hide(reason))
        if options.display.json { try screen.print(record.line) }
        fail("\(file.singleLine(limit: 200)): \(reason)")
    }

    mutating func fail(_ reason: String) {
        hasFailures = true
        let text = "gallery: \(mask.hide(reason).singleLine(limit: 600))"
        screen.note(screen.console.emphasised(text, .red, on: screen.console.error))
    }

    /// Prints a note to the error stream.
    mutating func note(_ text: String) {
        if !options.display.quiet { screen.note("gallery: \(text)") }
    }

    mutating func interrupted(of total: Int) {
        fail("interrupted, \(uploaded) of \(total) uploaded")
    }

    mutating func clear() { screen.clear() }

    /// Prints a summary.
    mutating func finish(after elapsed: Duration) throws(StreamClosed) {
        screen.clear()
        if options.display.quiet { return }
        let tenths = (elapsed / .seconds(1) * 10).rounded() / 10
        let size = ByteCount.text(Int(clamping: bytes))
        let text = "\(uploaded) uploaded, \(failed) failed: \(size) in \(tenths) s"
        if options.display.json { screen.note(text) } else { try screen.print(text) }
        if !isServed, uploaded > 0 { note(Self.removalNote(options.serving.url)) }
    }

    private static func removalNote(_ server: URL?) -> String {
        let target = server.map { " and add --base-url \($0.absoluteString)" } ?? ""
        return "the server of this command has ended, and its pictures are removed "
            + "(to keep pictures, run \"gallery serve\"\(target))"
    }
}
