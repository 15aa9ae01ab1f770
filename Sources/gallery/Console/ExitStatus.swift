/// The exit status of the program.
package enum ExitStatus: Int32, Sendable {
    /// The command succeeded completely.
    case success = 0
    /// At least one part of the command failed.
    case failure = 1
    /// The command line is invalid (`EX_USAGE` of sysexits).
    case usage = 64
    /// Interrupted by Ctrl-C: 128 plus the number of SIGINT.
    case interrupted = 130
    /// The reader of the output is gone: 128 plus the number of SIGPIPE.
    case outputClosed = 141
}
