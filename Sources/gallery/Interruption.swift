import CGalleryCore
import Errand

/// Ctrl-C: the first one cancels the work, which then cleans up and ends; a second one ends the process at once.
///
/// A terminal that closes and a polite `kill` count as one, too.
enum Interruption {
    static func cancels(_ work: @escaping @Sendable () async -> ExitStatus) async -> ExitStatus {
        // A reader that goes away is an error of `write`, not the end of the process: sockets need that too.
        signal(SIGPIPE, SIG_IGN)
        // Unstructured so that the thread below can cancel it.
        let task = Task { await work() }
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            // A thread of its own: the dispatch queues may be busy with what is to be stopped.
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

    /// Whether whoever started the program wants it to go on: `nohup`, or a script's job in the background.
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
