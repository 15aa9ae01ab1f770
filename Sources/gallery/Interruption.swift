import Errand
import Synchronization

/// Ctrl-C: the first one cancels the work, which then cleans up and ends; a second one ends the process at once.
enum Interruption {
    static func cancels(_ work: @escaping @Sendable () async -> ExitStatus) async -> ExitStatus {
        // A reader that goes away is an error of `write`, not the end of the process: sockets need that too.
        signal(SIGPIPE, SIG_IGN)
        // The source below sees a signal that is ignored, too; the default action would not wait for it.
        signal(SIGINT, SIG_IGN)
        let task = Task { await work() }
        let count = Mutex<UInt>(0)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            let total = count.withLock { count in
                count += source.data
                return count
            }
            if total > 1 { _exit(ExitStatus.interrupted.rawValue) }
            task.cancel()
        }
        source.resume()
        defer { source.cancel() }
        return await task.value
    }
}
