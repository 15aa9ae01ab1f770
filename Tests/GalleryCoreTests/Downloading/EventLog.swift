import Errand
import GalleryCore
import TestSupport
import Testing

/// The events of a download as comparable lines.
struct EventLog {
    private(set) var lines: [String] = []
    private(set) var errors: [DownloadError] = []

    init() {}

    /// Downloads pictures and records what is reported.
    init(
        of session: CountingSession, _ pictures: [Picture], into folder: TemporaryFolder, concurrency: Int
    ) async throws {
        var downloader = PictureDownloader(into: folder.url, session: session)
        downloader.concurrency = concurrency
        var log = EventLog()
        try await downloader.download(pictures) { log.add($0) }
        self = log
    }

    mutating func add(_ event: DownloadEvent) {
        switch event {
        case .listed(let pictures): lines.append("listed \(pictures.map(\.id).joined())")
        case .started(let picture): lines.append("started \(picture.id)")
        case .fetched(let picture, let file): lines.append("fetched \(picture.id) \(file.name) \(file.bytes)")
        case .present(let picture, let file): lines.append("present \(picture.id) \(file.name) \(file.bytes)")
        case .failed(let picture, let error):
            lines.append("failed \(picture.id) \(error)")
            errors.append(error)
        case .warning(let picture, let text): lines.append("warning \(picture.id) \(text)")
        case .abandoned(let count): lines.append("abandoned \(count)")
        case .progress: lines.append("progress")
        }
    }

    /// The sorted lines of all events except the starts.
    var ends: [String] { lines.filter { !$0.hasPrefix("started") }.sorted() }
}

extension [Picture] {
    /// Pictures with the given identifiers. The URL of each has the path `/ID`.
    static func samples(_ ids: String...) throws -> [Picture] {
        try ids.map { id in
            let url = try #require(URL(string: "https://pictures.example/\(id)"))
            return Picture(id: id, words: "w", variant: "raw", url: url)
        }
    }
}
