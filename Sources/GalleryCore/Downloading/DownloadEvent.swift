/// What happens to a picture; each picture starts, and then ends in one of the other ways unless the run is cancelled.
public enum DownloadEvent: Sendable {
    /// Its turn has come.
    case started(Picture)
    /// It was fetched and is on disk, whole. The warning is of ``PictureDownloader/afterwards``.
    case fetched(Picture, PictureFile, warning: String?)
    /// It was there already, whole; nothing was sent.
    case present(Picture, PictureFile)
    /// It is not there; the others go on.
    case failed(Picture, DownloadError)
}
