import Errand

/// A stream over a file descriptor of the process.
struct FileStream: TextStream {
    private let descriptor: Int32

    static let output: FileStream = FileStream(descriptor: STDOUT_FILENO)
    static let error: FileStream = FileStream(descriptor: STDERR_FILENO)

    /// Opens the standard descriptors that are closed. Otherwise a file or a socket could get one of their numbers and
    /// receive the output.
    static func openStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
    }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    var columns: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    func write(_ text: String) throws(StreamClosed) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&ready, 1, -1)
            } else if errno != EINTR {
                throw errno == EPIPE ? StreamClosed() : StreamClosed(reason: String(cString: strerror(errno)))
            }
        }
    }
}
