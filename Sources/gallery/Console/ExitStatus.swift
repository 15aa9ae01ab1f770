/// How the program ends, as a shell sees it.
package enum ExitStatus: Int32, Sendable {
    /// Everything that was asked for is there.
    case success = 0
    /// Something failed; the rest was done.
    case failure = 1
    /// The command line can't be carried out (`EX_USAGE` of sysexits).
    case usage = 64
    /// Stopped by Ctrl-C: 128 and SIGINT's number.
    case interrupted = 130
    /// Nobody reads the output any longer: 128 and SIGPIPE's number.
    case outputClosed = 141
}
