/// What happens to pictures: each one starts, and is then fetched, present or failed unless the run is cancelled.
public enum DownloadEvent: Sendable {
    /// A batch has come, before the first of its pictures starts; never reported of pictures that are given as an array.
    case listed([Picture])
    /// Its turn has come.
    case started(Picture)
    /// It was fetched, and its file is complete.
    case fetched(Picture, PictureFile)
    /// Its file exists already, and the server states no other size.
    case present(Picture, PictureFile)
    /// It is not there; the others go on.
    case failed(Picture, DownloadError)
    /// What ``PictureDownloader/afterwards`` warns of, after the picture was fetched.
    case warning(Picture, String)
    /// For so many fetched pictures ``PictureDownloader/afterwards`` did not end in time, and was cancelled.
    case abandoned(Int)
    /// Nothing; ``PictureDownloader/heartbeat`` has passed, for who shows the time that a run takes.
    case waiting
}
