public import Errand

/// An event of a download run. Each picture starts, and is then fetched, present or failed unless the run is cancelled.
public enum DownloadEvent: Sendable {
    /// A batch was received. Reported before the first picture of the batch starts, and never for an array of pictures.
    case listed([Picture])
    /// The download of a picture starts.
    case started(Picture)
    /// The picture was fetched, and its file is complete.
    case fetched(Picture, PictureFile)
    /// The file of the picture exists already, and the server does not state another size.
    case present(Picture, PictureFile)
    /// The download failed. The other downloads continue.
    case failed(Picture, DownloadError)
    /// A warning from ``PictureDownloader/followUp`` for a picture that was fetched.
    case warning(Picture, String)
    /// The number of fetched pictures for which ``PictureDownloader/followUp`` did not finish in time and was
    /// cancelled.
    case abandoned(Int)
    /// The bytes of the fetched pictures and of those that are being fetched, with the bytes of an earlier run.
    ///
    /// Reported each time that the interval ``PictureDownloader/heartbeat`` has passed. The total is `nil` unless the
    /// sizes of all these pictures are known. Pictures that have not started are not included. The rate is the average
    /// of the run, without the bytes of an earlier run.
    case progress(TransferProgress)
}
