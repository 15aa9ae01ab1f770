import Errand
import ErrandSupport

/// The received bytes of a run.
final class PictureTransfers: Sendable {
    private struct Transfer {
        var progress = TransferProgress(completed: 0)
        /// The bytes of an earlier run. They include the bytes before the first update with any bytes, until the exact
        /// number is known at the end.
        var resumed: Int64?

        var received: Int64 { progress.completed - (resumed ?? progress.completed) }
    }

    private struct State {
        /// The pictures that are being fetched.
        var running: [FileName: Transfer] = [:]
        /// The bytes of the pictures that are complete.
        var fetched: Int64 = 0
        /// The bytes that this run has received of the pictures that have ended.
        var received: Int64 = 0
        var start: Duration?
    }

    /// The minimum time between two updates of a picture.
    private let interval: Duration
    private let time: any TimeSource = .system
    private let state = Locked(State())

    init(updatingEvery interval: Duration) {
        self.interval = interval
    }

    /// The sum of all pictures. See ``DownloadEvent/progress(_:)``.
    var sum: TransferProgress {
        let now = time.now
        return state.withLock { state in
            var (completed, total, received) = (state.fetched, Optional(state.fetched), state.received)
            for transfer in state.running.values {
                completed += transfer.progress.completed
                total = total.flatMap { sum in transfer.progress.total.map { sum + $0 } }
                received += transfer.received
            }
            let seconds = state.start.map { (now - $0) / .seconds(1) } ?? 0
            return TransferProgress(
                completed: completed, total: total, rate: seconds > 0 ? Double(received) / seconds : nil)
        }
    }

    func start(_ name: FileName) {
        let now = time.now
        state.withLock { state in
            state.running[name] = Transfer()
            state.start = state.start ?? now
        }
    }

    /// Ends a picture. The bytes of a failed one no longer count, except for the rate.
    func end(_ name: FileName, isFetched: Bool) {
        state.withLock { state in
            guard let transfer = state.running.removeValue(forKey: name) else { return }
            state.received += transfer.received
            if isFetched { state.fetched += transfer.progress.completed }
        }
    }

    /// Returns the file of a download, and records its progress.
    func file(of download: TransferEvents<DownloadedFile>, _ name: FileName) async throws -> DownloadedFile? {
        for try await event in download.updating(every: interval) {
            switch event {
            case .progress(let progress): update(name, progress)
            case .finished(let file):
                finish(name, file)
                return file
            }
        }
        return nil
    }

    private func update(_ name: FileName, _ progress: TransferProgress) {
        state.withLock { state in
            guard var transfer = state.running[name] else { return }
            let startsAgain = progress.completed < transfer.progress.completed
            if progress.completed > 0, transfer.resumed == nil || startsAgain { transfer.resumed = progress.completed }
            transfer.progress = progress
            state.running[name] = transfer
        }
    }

    private func finish(_ name: FileName, _ file: DownloadedFile) {
        let progress = TransferProgress(completed: file.size, total: file.size)
        state.withLock { $0.running[name] = Transfer(progress: progress, resumed: file.resumedFrom) }
    }
}
