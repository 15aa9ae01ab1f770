/// The destination of a download.
package enum DownloadPlace: Sendable {
    case file(URL)
    case folder(URL)

    /// The folder of the file.
    var folder: URL {
        switch self {
        case .file(let url): url.deletingLastPathComponent()
        case .folder(let url): url
        }
    }

    /// The name of the file, or `nil` if the server chooses it.
    var name: String? {
        switch self {
        case .file(let url): url.lastPathComponent
        case .folder: nil
        }
    }

    /// Throws an error if the download could not store its file.
    func check(_ options: DownloadOptions) throws(ServiceError) {
        guard folder.isFileURL else { throw ServiceError(.file, "expected a file URL for the download") }
        guard case .file(let url) = self, !options.overwrites else { return }
        var facts = stat()
        guard lstat(url.path(percentEncoded: false), &facts) != 0 else { throw Self.exists }
    }

    static var exists: ServiceError {
        ServiceError(
            .file, "expected a new file, found an existing one: choose another URL, or set DownloadOptions.overwrites")
    }
}
