import Errand
import ErrandSupport

/// The cache of lists and photos. Pictures are not stored, because they are files in the output folder already.
struct CatalogueCache: Sendable {
    /// The capacity in bytes: 50 MB.
    static let capacity: Int64 = 50_000_000

    /// The path of the folder.
    let path: String
    private let isChosen: Bool

    /// Returns `nil` without a folder.
    init?(_ options: GalleryOptions.Cache) {
        guard let path = options.folder ?? options.standardFolder else { return nil }
        // The shell has already expanded `~`. Foundation would expand it again.
        self.path = path.hasPrefix("~") ? "./" + path : path
        isChosen = options.folder != nil
    }

    /// Whether the folder exists.
    var exists: Bool {
        var facts = stat()
        return stat(path, &facts) == 0
    }

    /// Opens the store, and creates the folder if it does not exist.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/file``.
    func open() throws(ServiceError) -> any CacheStore {
        guard !isOtherFolder else {
            throw ServiceError(
                .file,
                "can't use \(path.quoted) as the cache: expected a folder that is empty or that only you can access")
        }
        do {
            let folder = URL(filePath: path, directoryHint: .isDirectory)
            return try DiskCacheStore(folder: folder, capacity: Self.capacity)
        } catch {
            throw ServiceError(.file, "can't use \(path.quoted) as the cache: \(error.reason)", underlying: error)
        }
    }

    /// Whether the folder has files of other programs. The store makes its folder private, which must not happen to
    /// such a folder.
    private var isOtherFolder: Bool {
        var facts = stat()
        guard isChosen, stat(path, &facts) == 0, facts.st_mode & 0o077 != 0 else { return false }
        return (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == false
    }
}

extension CatalogueCache {
    /// Opens the store of a command. Without a folder, or if the default folder can't be used, returns the reason.
    ///
    /// - Throws: ``/Errand/ServiceError`` if the folder of `--cache` can't be used.
    static func open(_ options: GalleryOptions) throws(ServiceError) -> (store: (any CacheStore)?, note: String?) {
        guard options.cache.isUsed, !options.display.curl else { return (nil, nil) }
        guard let cache = CatalogueCache(options.cache) else { return (nil, noFolder) }
        do {
            return (try cache.open(), nil)
        } catch {
            if cache.isChosen { throw error }
            return (nil, error.reason)
        }
    }

    static let noFolder: String = "no default folder for the cache: expected an absolute path in HOME"
}
