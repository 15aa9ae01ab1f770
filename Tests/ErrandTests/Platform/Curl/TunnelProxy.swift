#if os(Linux)
    import ErrandSupport
    import Errand
    import Foundation

    /// A proxy that supports `CONNECT` (RFC 9110, section 9.3.6) and SOCKS 5 (RFC 1928) only. It connects all clients
    /// to one port.
    final class TunnelProxy: Sendable {
        let port: Int
        private let listener: Int32
        private let log = Log()

        private final class Log: Sendable {
            let lines = Locked<[String]>([])
        }

        /// - Parameter destination: The port on 127.0.0.1 to connect every client to.
        /// - Throws: `POSIXError` if it cannot listen.
        init(to destination: Int) throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            self.listener = listener
            var address = sockaddr_in.loopback(port: 0)
            guard listener >= 0, address.give({ bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
                throw POSIXError(.EADDRNOTAVAIL)
            }
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutableBytes(of: &address) { bytes in
                _ = getsockname(listener, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
            }
            port = Int(in_port_t(bigEndian: address.sin_port))
            Thread.detachNewThread { [listener, log] in
                while true {
                    let client = accept(listener, nil, nil)
                    guard client >= 0 else { return }
                    Thread.detachNewThread {
                        Self.serve(client, destination) { line in log.lines.withLock { $0.append(line) } }
                    }
                }
            }
        }

        deinit {
            shutdown(listener, Int32(SHUT_RDWR))
            close(listener)
        }

        /// The requests so far: the request line of a `CONNECT` request, or `SOCKS` and the host.
        var requests: [String] { log.lines.withLock { $0 } }

        private static func serve(_ client: Int32, _ destination: Int, _ note: (String) -> Void) {
            defer { close(client) }
            guard let first = read(1, from: client).first else { return }
            let response = first == 5 ? replyToSOCKS(client, note) : responseToConnect(client, first, note)
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(server) }
            let address = sockaddr_in.loopback(port: destination)
            guard address.give({ connect(server, $0, $1) }) == 0 else { return }
            send(client, response, response.count, Int32(MSG_NOSIGNAL))
            carry(between: client, and: server)
        }

        private static func responseToConnect(_ client: Int32, _ first: UInt8, _ note: (String) -> Void) -> [UInt8] {
            var head = [first]
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                let next = read(1, from: client)
                guard !next.isEmpty else { break }
                head += next
            }
            note(String(decoding: head.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self))
            return Array("HTTP/1.1 200 Connected\r\n\r\n".utf8)
        }

        /// Requires no password, and reports 10.0.0.1 and port 2,560 as its own address. To a line reader, these bytes
        /// are a line that begins with NUL.
        private static func replyToSOCKS(_ client: Int32, _ note: (String) -> Void) -> [UInt8] {
            _ = read(Int(read(1, from: client).first ?? 0), from: client)
            send(client, [5, 0], 2, Int32(MSG_NOSIGNAL))
            // Version, command, reserved byte, and the type of the address: a name, or four bytes.
            let isName = read(4, from: client).last == 3
            let host = read(isName ? Int(read(1, from: client).first ?? 0) : 4, from: client)
            _ = read(2, from: client)
            let text = isName ? String(decoding: host, as: UTF8.self) : host.map(String.init).joined(separator: ".")
            note("SOCKS \(text)")
            return [5, 0, 0, 1, 10, 0, 0, 1, 10, 0]
        }

        private static func read(_ count: Int, from client: Int32) -> [UInt8] {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while bytes.count < count, recv(client, &byte, 1, 0) == 1 { bytes.append(byte) }
            return bytes
        }

        private static func carry(between one: Int32, and other: Int32) {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                var ends = [pollfd(fd: one, events: Int16(POLLIN), revents: 0)]
                ends.append(pollfd(fd: other, events: Int16(POLLIN), revents: 0))
                guard poll(&ends, 2, -1) > 0 else { return }
                for (from, to) in [(0, 1), (1, 0)] where ends[from].revents != 0 {
                    let count = recv(ends[from].fd, &buffer, buffer.count, 0)
                    guard count > 0 else { return }
                    var sent = 0
                    while sent < count {
                        let part = buffer[sent..<count].withUnsafeBytes { bytes in
                            send(ends[to].fd, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                        }
                        guard part > 0 else { return }
                        sent += part
                    }
                }
            }
        }
    }

    extension sockaddr_in {
        fileprivate static func loopback(port: Int) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            return address
        }

        fileprivate func give(_ body: (UnsafePointer<sockaddr>?, socklen_t) -> Int32) -> Int32 {
            withUnsafeBytes(of: self) { bytes in
                body(bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            }
        }
    }
#endif
