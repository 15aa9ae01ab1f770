import Foundation

/// Owns one file descriptor and closes it exactly once, at the latest in its `deinit`.
struct Descriptor: ~Copyable {
    /// The file descriptor, or -1 after it is closed.
    private(set) var raw: Int32

    init(owning raw: Int32) {
        self.raw = raw
    }

    deinit {
        if raw >= 0 { _ = Foundation.close(raw) }
    }

    mutating func close() {
        guard raw >= 0 else { return }
        _ = Foundation.close(raw)  // not retried after EINTR: the system may have reused the number
        raw = -1
    }

    /// Makes the descriptor non-blocking and prevents child processes from inheriting it.
    borrowing func prepare() {
        let flags = fcntl(raw, F_GETFL)
        _ = fcntl(raw, F_SETFL, flags | O_NONBLOCK)
        _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    }
}

/// The result of one non-blocking call.
enum Transfer: Equatable {
    case bytes(Int)
    case end
    case wouldBlock
    case failed(Int32)

    /// Runs a call that returns a byte count or -1, and repeats it while a signal interrupts it.
    static func repeating(_ call: () -> Int) -> Transfer {
        while true {
            let count = call()
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            let code = errno
            if code == EINTR { continue }
            return code == EAGAIN || code == EWOULDBLOCK ? .wouldBlock : .failed(code)
        }
    }
}

extension Descriptor {
    borrowing func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        let raw = raw
        return .repeating { recv(raw, buffer.baseAddress, buffer.count, 0) }
    }

    borrowing func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        let raw = raw
        return .repeating { Foundation.send(raw, bytes.baseAddress, bytes.count, SystemConstants.noSignal) }
    }

    /// Closes the sending side. The receiving side stays open.
    borrowing func finishSending() {
        _ = shutdown(raw, Int32(SHUT_WR))
    }

    /// Makes the next close send a TCP reset instead of an orderly end.
    borrowing func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(raw, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    borrowing func limitSendBuffer(to bytes: Int) {
        set(SO_SNDBUF, to: Int32(clamping: bytes))
    }

    borrowing func set(_ option: Int32, at level: Int32 = SOL_SOCKET, to value: Int32) {
        var value = value
        _ = setsockopt(raw, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
