import Errand
import ErrandSupport
import Foundation
import TestSupport

/// A blocking client for raw bytes, for use inside `blocking`. Every call times out after ten seconds times
/// `TestEnvironment.patience`.
final class SocketClient: Sendable {
    struct Failure: Error, Equatable {
        let code: Int32
    }

    /// The connection ended before the expected bytes arrived.
    struct EndedEarly: Error {
        let received: String
    }

    private let descriptor: Int32
    private let unread = Locked<[UInt8]>([])

    init(port: Int, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, ClientConstants.streamSocket, 0)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        var patience = timeval(tv_sec: 10 * TestEnvironment.patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                connect(descriptor, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(code: errno) }
    }

    deinit {
        close(descriptor)
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, ClientConstants.noSignal)
            }
            guard count > 0 else { throw Failure(code: errno) }
            sent += count
        }
    }

    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes the client end with a reset instead of an orderly close, so that no port stays in the TIME_WAIT state.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Reads all bytes up to the end of the connection.
    func readToEnd() throws -> String {
        while try readMore() {}
        return take(unread.withLock { $0.count })
    }

    /// Whether the connection ends, orderly or not, after all bytes have been read.
    func isEndedAfterReading() -> Bool {
        do {
            while try readMore() {}
            return true
        } catch {
            return (error as? Failure)?.code == ECONNRESET
        }
    }

    /// Reads up to and including `mark`.
    func read(through mark: String) throws -> String {
        let mark = Data(mark.utf8)
        while true {
            let end = unread.withLock { bytes in Data(bytes).range(of: mark)?.upperBound }
            if let end { return take(end) }
            guard try readMore() else { throw EndedEarly(received: take(unread.withLock { $0.count })) }
        }
    }

    func read(count: Int) throws -> String {
        while unread.withLock({ $0.count < count }) {
            guard try readMore() else { throw EndedEarly(received: take(unread.withLock { $0.count })) }
        }
        return take(count)
    }

    private func take(_ count: Int) -> String {
        unread.withLock { bytes in
            defer { bytes.removeFirst(count) }
            return String(decoding: bytes.prefix(count), as: UTF8.self)
        }
    }

    private func readMore() throws -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            guard count >= 0 else { throw Failure(code: errno) }
            let bytes = Array(buffer[..<count])
            unread.withLock { $0.append(contentsOf: bytes) }
            return count > 0
        }
    }
}

extension SocketClient {
    func get(_ target: String) throws {
        try send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
    }

    /// Reads a response with a `Content-Length`. Returns its status line and body.
    func reply() throws -> String {
        let head = try read(through: "\r\n\r\n")
        let lines = head.components(separatedBy: "\r\n")
        let length = lines.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
        return "\(lines[0]) | \(try read(count: length))"
    }

    /// Returns all bytes that the server sends for one request, up to the end of the connection.
    static func exchange(_ text: String, port: Int) throws -> String {
        let client = try SocketClient(port: port)
        try client.send(text)
        return try client.readToEnd()
    }

    // The same methods for asynchronous callers.

    static func response(to text: String, port: Int) async throws -> String {
        try await blocking { try exchange(text, port: port) }
    }

    func nextReply() async throws -> String {
        try await blocking { try self.reply() }
    }

    func next(through mark: String) async throws -> String {
        try await blocking { try self.read(through: mark) }
    }

    func isEnded() async -> Bool {
        (try? await blocking { self.isEndedAfterReading() }) ?? false
    }
}
