#if os(Linux)
    import CErrandCurl
    import Foundation
    import Testing

    @Suite struct CurlSignalTests {
        /// Makes a thread write to a pipe without a reader, as OpenSSL does if the peer has closed the connection.
        private static func writeToClosedPipe() {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            close(ends[0])
            _ = write(ends[1], "x", 1)
            close(ends[1])
        }

        private static func letThrough() {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            signal(SIGPIPE, SIG_DFL)
        }

        @Test func `a held SIGPIPE does not end the process, nor does its release`() async {
            await #expect(processExitsWith: .success) {
                Self.letThrough()
                let signals = errand_signals_hold()
                Self.writeToClosedPipe()
                errand_signals_release(signals)
            }
        }

        @Test func `a released SIGPIPE ends the process as before`() async {
            await #expect(processExitsWith: .signal(SIGPIPE)) {
                Self.letThrough()
                errand_signals_release(errand_signals_hold())
                Self.writeToClosedPipe()
            }
        }
    }
#endif
