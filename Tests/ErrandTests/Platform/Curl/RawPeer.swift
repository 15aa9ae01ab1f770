#if os(Linux)
    import Errand
    import Foundation

    /// A listener with unusual behaviour: it responds before it has read the request, or never accepts a connection.
    final class RawPeer: Sendable {
        enum Behaviour: Sendable {
            /// Responds after the header section has arrived, reads no body, and keeps the connection until the client
            /// closes it.
            case respondsEarly(String)
            /// Responds after the header section has arrived, and closes the connection.
            case respondsAndCloses(String)
            /// Sends each response in two pieces over a connection that delays the second one until the first is
            /// acknowledged.
            case respondsInPieces(String, String)
            /// Sends back each byte until the client closes the connection.
            case echoes
            /// Waits for the first semaphore, sends a text, resets the connection, and signals the second semaphore.
            case resets(String, after: DispatchSemaphore, before: DispatchSemaphore)
            /// Accepts no connections and has a full backlog.
            case isFull
        }

        /// Whether this machine has the address `::1`.
        static let hasIPv6: Bool = {
            let probe = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(probe) }
            return probe >= 0 && bind(probe, isIPv6: true)
        }()

        let port: Int
        private let listener: Int32
        private let fillers: [Int32]

        init(_ behaviour: Behaviour, isIPv6: Bool = false) throws {
            listener = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            guard listener >= 0, RawPeer.bind(listener, isIPv6: isIPv6) else { throw POSIXError(.EADDRNOTAVAIL) }
            port = RawPeer.port(of: listener)
            let listener = listener
            guard let respond = RawPeer.responder(behaviour) else {
                listen(listener, 0)
                let port = port
                fillers = (0..<4).map { _ in RawPeer.connectWithoutWaiting(port) }
                return
            }
            listen(listener, 16)
            fillers = []
            Thread.detachNewThread { RawPeer.serve(listener, respond) }
        }

        /// Returns the function that serves and closes a connection, or `nil` if no connection is accepted.
        private static func responder(_ behaviour: Behaviour) -> (@Sendable (Int32) -> Void)? {
            switch behaviour {
            case .respondsEarly(let text): { respondOnce(Array(text.utf8), $0) }
            case .respondsAndCloses(let text): { respondToEach([Array(text.utf8)], $0, times: 1) }
            case .respondsInPieces(let first, let second):
                { respondToEach([Array(first.utf8), Array(second.utf8)], $0) }
            case .echoes: { echo($0) }
            case .resets(let text, let begin, let end):
                {
                    begin.wait()
                    reset($0, Array(text.utf8))
                    end.signal()
                }
            case .isFull: nil
            }
        }

        deinit {
            for filler in fillers { close(filler) }
            shutdown(listener, Int32(SHUT_RDWR))
            close(listener)
        }

        private static func serve(_ listener: Int32, _ respond: @escaping @Sendable (Int32) -> Void) {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { respond(connection) }
            }
        }

        private static func echo(_ connection: Int32) {
            defer { close(connection) }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(connection, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                var sent = 0
                while sent < count {
                    let part = buffer.withUnsafeBytes {
                        Foundation.send(
                            connection, $0.baseAddress?.advanced(by: sent), count - sent, Int32(MSG_NOSIGNAL))
                    }
                    guard part > 0 else { return }
                    sent += part
                }
            }
        }

        /// Sends a response, and resets the connection.
        private static func reset(_ connection: Int32, _ response: [UInt8]) {
            send(connection, response, response.count, Int32(MSG_NOSIGNAL))
            var linger = Foundation.linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            close(connection)
        }

        private static func respondOnce(_ response: [UInt8], _ connection: Int32) {
            defer { close(connection) }
            _ = hasHead(connection)
            send(connection, response, response.count, Int32(MSG_NOSIGNAL))
            // Reads until the client closes the connection, because a reset could discard the response.
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while recv(connection, &buffer, buffer.count, 0) > 0 {}
        }

        private static func respondToEach(_ pieces: [[UInt8]], _ connection: Int32, times: Int = .max) {
            defer { close(connection) }
            var count = 0
            while count < times, hasHead(connection) {
                count += 1
                for piece in pieces { send(connection, piece, piece.count, Int32(MSG_NOSIGNAL)) }
            }
        }

        /// Waits for the end of a header section. Returns `false` if the connection ends first.
        private static func hasHead(_ connection: Int32) -> Bool {
            var seen: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while !Data(seen).contains("\r\n\r\n") {
                let count = recv(connection, &buffer, buffer.count, 0)
                guard count > 0 else { return false }
                seen += buffer.prefix(count)
            }
            return true
        }

        private static func bind(_ descriptor: Int32, isIPv6: Bool) -> Bool {
            if isIPv6 {
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(AF_INET6)
                address.sin6_addr = in6addr_loopback
                return call(&address) { Foundation.bind(descriptor, $0, $1) } == 0
            }
            var address = loopback(port: 0)
            return call(&address) { Foundation.bind(descriptor, $0, $1) } == 0
        }

        private static func loopback(port: Int) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            return address
        }

        private static func call<Address>(
            _ address: inout Address, _ body: (UnsafePointer<sockaddr>?, socklen_t) -> Int32
        ) -> Int32 {
            withUnsafeBytes(of: &address) { bytes in
                body(bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            }
        }

        private static func port(of descriptor: Int32) -> Int {
            var address = sockaddr_in6()
            var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            _ = withUnsafeMutableBytes(of: &address) { bytes in
                getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
            }
            // Both address families have the port at the same offset.
            return Int(in_port_t(bigEndian: address.sin6_port))
        }

        private static func connectWithoutWaiting(_ port: Int) -> Int32 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            var address = loopback(port: port)
            _ = call(&address) { connect(descriptor, $0, $1) }
            return descriptor
        }
    }

    extension Data {
        fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
    }
#endif
