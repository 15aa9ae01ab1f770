import Foundation

/// Owns one file descriptor: it is closed once, at the latest when its owner goes away.
struct Descriptor: ~Copyable {
    /// The number that the system knows it by, or -1 once it is closed.
    private(set) var raw: Int32

    init(owning raw: Int32) {
        self.raw = raw
    }

    deinit {
        if raw >= 0 { _ = Foundation.close(raw) }
    }

    mutating func close() {
        guard raw >= 0 else { return }
        _ = Foundation.close(raw)  // not repeated after EINTR: the number may belong to somebody else by then
        raw = -1
    }

    /// Makes every call on it return at once, and keeps it from child processes.
    borrowing func prepare() {
        let flags = fcntl(raw, F_GETFL)
        _ = fcntl(raw, F_SETFL, flags | O_NONBLOCK)
        _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    }
}

/// What one non-blocking call achieved.
enum Transfer: Equatable {
    case bytes(Int)
    case end
    case wouldBlock
    case failed(Int32)

    /// Runs a call that returns a byte count or -1, again for as long as a signal interrupts it.
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

    /// Says that no more bytes follow; the other direction stays open.
    borrowing func finishSending() {
        _ = shutdown(raw, Int32(SHUT_WR))
    }

    /// Makes the next close a reset instead of an orderly end.
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
