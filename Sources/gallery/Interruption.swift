import CGalleryCore
import Errand

/// Handles Ctrl-C. The first one cancels the work, which then cleans up and ends. The second one ends the process
/// immediately.
///
/// SIGTERM and SIGHUP have the same effect.
enum Interruption {
    static func cancels(_ work: @escaping @Sendable () async -> ExitStatus) async -> ExitStatus {
        // A closed reader must be an error of `write` instead of ending the process. This also applies to sockets.
        signal(SIGPIPE, SIG_IGN)
        // The task is unstructured, so that the thread below can cancel it.
        let task = Task { await work() }
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            // A separate thread, because the dispatch queues may be busy with the work to cancel.
            Thread.detachNewThread { [reading = ends[0]] in
                waitForByte(reading)
                task.cancel()
                waitForByte(reading)
                _exit(ExitStatus.interrupted.rawValue)
            }
            gallery_set_bell(ends[1])
            for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) { signal(number, gallery_ring) }
        }
        return await task.value
    }

    /// Whether the parent process ignores the signal, as `nohup` and background jobs of scripts do.
    private static func isIgnored(_ number: Int32) -> Bool {
        let before = signal(number, SIG_IGN)
        signal(number, before)
        return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func waitForByte(_ descriptor: Int32) {
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) < 0, errno == EINTR {}
    }
}
