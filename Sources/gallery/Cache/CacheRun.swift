import Errand
import ErrandSupport

/// A run of `gallery cache info` or `gallery cache clear`.
struct CacheRun: Sendable {
    /// The output with `--json`.
    private struct Record: Encodable {
        let folder: String
        let entries: Int
        let bytes: Int64
        let capacity: Int64
    }

    let options: GalleryOptions
    let console: Console

    func run(_ action: CacheAction) async -> ExitStatus {
        guard let cache = CatalogueCache(options.cache) else {
            return fail("\(CatalogueCache.noFolder) (add --cache DIR)")
        }
        do {
            // Neither action creates the folder.
            let store = cache.exists ? try cache.open() : nil
            let usage = try await store?.usage ?? CacheUsage()
            if action == .clear { try await store?.removeAll() }
            try console.output.write(text(action, usage, cache.path))
            return .success
        } catch let error as StreamClosed {
            guard let text = error.reason else { return .outputClosed }
            return fail("can't write the output: \(text)")
        } catch {
            return fail(ServiceError(wrapping: error, as: .file, "the cache can't be read").reason)
        }
    }

    private func text(_ action: CacheAction, _ usage: CacheUsage, _ path: String) -> String {
        let capacity = CatalogueCache.capacity
        if options.display.json {
            let record = Record(folder: path, entries: usage.entries, bytes: usage.bytes, capacity: capacity)
            return JSONLine.text(record) + "\n"
        }
        let size = ByteCount.text(Int(clamping: usage.bytes))
        switch action {
        case .info:
            return """
                Folder    \(path.singleLine())
                Entries   \(usage.entries)
                Size      \(size) of \(ByteCount.text(Int(clamping: capacity)))

                """
        case .clear:
            return usage.entries == 1 ? "1 entry removed: \(size)\n" : "\(usage.entries) entries removed: \(size)\n"
        }
    }

    private func fail(_ text: String) -> ExitStatus {
        try? console.error.write("gallery: \(text.singleLine(limit: 600))\n")
        return .failure
    }
}
