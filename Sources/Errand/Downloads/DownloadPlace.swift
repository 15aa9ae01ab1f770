/// The destination of a download. The parts of its URL are computed once.
package struct DownloadPlace: Sendable {
    /// The URL of the file, or `nil` if the server chooses its name.
    let file: URL?
    /// The folder of the file.
    let folder: URL
    /// The name of the file, or `nil` if the server chooses it.
    let name: String?

    /// A file with the URL of the caller.
    package static func file(_ url: URL) -> DownloadPlace {
        DownloadPlace(file: url, folder: url.deletingLastPathComponent(), name: url.lastPathComponent)
    }

    /// A new file in a folder, with the name that the server chooses.
    package static func folder(_ url: URL) -> DownloadPlace {
        DownloadPlace(file: nil, folder: url, name: nil)
    }

    /// Throws an error if the download could not store its file.
    func check(_ options: DownloadOptions) throws(ServiceError) {
        guard folder.isFileURL else { throw ServiceError(.file, "expected a file URL for the download") }
        guard let file, !options.overwrites else { return }
        var facts = stat()
        guard lstat(file.path(percentEncoded: false), &facts) != 0 else { throw Self.exists }
    }

    static var exists: ServiceError {
        ServiceError(
            .file, "expected a new file, found an existing one: choose another URL, or set DownloadOptions.overwrites")
    }
}
