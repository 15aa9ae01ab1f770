#if os(Linux)
    import CErrandCurl
    import ErrandSupport

    /// A connection of libcurl. A thread of this connection waits for the network.
    ///
    /// Without TLS, a thread that calls ``send(_:)`` sends the first bytes after those that were received. If the thread of the
    /// connection has to wake up for them, 8 connections send a sixth fewer commands per second. The following bytes are collected,
    /// and the thread of the connection sends them together.
    package final class CurlConnection: ByteConnection {
        /// The number of reads after which the other direction and the end are checked again.
        private static let readsPerTurn = 16
        private static let bufferSize = 65_536
        /// The maximum number of bytes that a caller sends, because it holds a lock meanwhile.
        private static let smallSize = 16_384

        private let outbox = Locked(CurlOutbox())
        private let waiter: errand_waiter
        private let peer: ByteConnectionPeer
        private let settings: CurlSettings
        private let url: URL
        private let handle: @Sendable (ByteConnectionEvent) -> Void

        /// Starts to establish a connection.
        /// - Parameters:
        ///   - peer: The peer of the connection.
        ///   - handle: Handles an event. Called on the thread of the connection.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration``.
        package init(
            to peer: ByteConnectionPeer, _ handle: @escaping @Sendable (ByteConnectionEvent) -> Void
        ) throws(ServiceError) {
            try CurlLibrary.check()
            url = try peer.url()
            settings = CurlSettings(peer.configuration)
            try settings.check()
            (self.peer, self.handle) = (peer, handle)
            waiter = errand_waiter_new()
            guard waiter.wake >= 0 else {
                throw ServiceError(.configuration, "cannot open a connection: no file descriptors left")
            }
            let thread = Thread { self.run() }
            thread.name = "errand.connection"
            thread.start()
        }

        deinit { errand_waiter_close(waiter) }

        package func send(_ bytes: Data) {
            if outbox.withLock({ $0.add(bytes, sending: Self.sendNow) }) { errand_wake(waiter) }
        }

        package func close() {
            outbox.withLock { $0 = CurlOutbox(isClosed: true) }
            errand_wake(waiter)
        }

        /// Sends bytes from the thread of the caller. Returns their number, 0 for many bytes and while the process ends.
        private static func sendNow(_ bytes: Data, _ socket: Int32) -> Int {
            guard bytes.count <= smallSize, !errand_library_has_ended() else { return 0 }
            return bytes.withUnsafeBytes { errand_send_now(socket, $0.baseAddress, $0.count) }
        }
    }

    extension CurlConnection {
        private static let ended = ServiceError(.connectionLost, "the connection has ended")
        private static let exiting = ServiceError(
            .transport, "the process is exiting, and its connections are closed")

        private func run() {
            // OpenSSL may write to a connection that the peer has closed. The thread ends with the connection.
            _ = errand_signals_hold()
            do {
                let connection = try inLibrary { () throws(ServiceError) in
                    try self.settings.makeConnection(self.url, self.waiter)
                }
                end(work(connection))
                // Before libcurl 7.87, this waits for a name lookup.
                if errand_library_enter() {
                    errand_connection_free(connection)
                    errand_library_leave()
                }
            } catch {
                end(error)
            }
            errand_library_end_thread()
        }

        private func end(_ error: ServiceError) {
            outbox.withLock { $0 = CurlOutbox(isClosed: true) }
            handle(.ended(error))
        }

        /// Runs a function that uses libcurl. While the process ends, OpenSSL must not be used.
        private func inLibrary<Value>(_ body: () throws(ServiceError) -> Value) throws(ServiceError) -> Value {
            guard errand_library_enter() else { throw Self.exiting }
            defer { errand_library_leave() }
            return try body()
        }

        /// Drives the connection. Returns the reason for its end.
        private func work(_ connection: OpaquePointer) -> ServiceError {
            do {
                try establish(connection)
                handle(.opened)
                var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
                let pending = PendingBytes(capacity: Self.bufferSize)
                var mayReceive = true
                while true {
                    let isClosed = outbox.withLock { outbox in
                        pending.append(outbox.bytes)
                        outbox.bytes = Data()
                        return outbox.isClosed
                    }
                    if isClosed { return Self.ended }
                    let hasMore = try inLibrary { () throws(ServiceError) in
                        // If sending fails, the peer may have sent the reason before it closed the connection.
                        let failure = send(pending, connection)
                        guard mayReceive || failure != nil else { return false }
                        let hasMore = try receive(
                            &buffer, connection, hasFailed: failure != nil, isAllSent: pending.isEmpty)
                        if let failure, !hasMore { throw failure }
                        return hasMore
                    }
                    let hasArrived = hasMore || errand_connection_wait(connection, !pending.isEmpty)
                    // OpenSSL may have to receive before it can send.
                    mayReceive = hasArrived || peer.tls != nil
                }
            } catch {
                return error
            }
        }

        private func establish(_ connection: OpaquePointer) throws(ServiceError) {
            // This limit also holds while libcurl resolves a name.
            let end = SystemTime.system.now + peer.connectTimeout
            while true {
                var code: Int32 = 0
                switch try inLibrary({ () throws(ServiceError) in errand_connection_step(connection, &code) }) {
                case errand_connection_open: return
                case errand_connection_failed: throw failure(code, connection)
                default: break
                }
                if outbox.withLock({ $0.isClosed }) { throw Self.ended }
                let left = end - SystemTime.system.now
                guard left > .zero else { throw failure(ERRAND_CURLE_OPERATION_TIMEDOUT, connection) }
                errand_connection_wait_to_step(connection, Int32(clamping: max(1, left.wholeMilliseconds)))
            }
        }

        private func failure(
            _ code: some BinaryInteger, _ connection: OpaquePointer, wasConnected: Bool = false
        ) -> ServiceError {
            if Int(code) == -Int(ERRAND_CONNECTION_ENDED) { return Self.ended }
            return CurlFailure(
                code: Int(code), message: String(cString: errand_connection_message(connection)),
                verifyResult: errand_connection_verify_result(connection), wasConnected: wasConnected
            ).error
        }

        /// Sends the bytes that the socket accepts now. Returns the error if the connection has failed.
        private func send(_ pending: PendingBytes, _ connection: OpaquePointer) -> ServiceError? {
            while let bytes = pending.next() {
                let count = errand_connection_send(connection, bytes.baseAddress, bytes.count)
                if count < 0 { return failure(-count, connection, wasConnected: true) }
                guard count > 0 else { return nil }
                pending.remove(Int(count))
            }
            return nil
        }

        /// Returns whether more bytes may have arrived already.
        private func receive(
            _ buffer: inout [UInt8], _ connection: OpaquePointer, hasFailed: Bool, isAllSent: Bool
        ) throws(ServiceError) -> Bool {
            for _ in 0..<Self.readsPerTurn {
                let count = errand_connection_receive(connection, &buffer, buffer.count)
                if count < 0 { throw failure(-count, connection, wasConnected: true) }
                guard count > 0 else { return false }
                if isAllSent, peer.tls == nil { letCallerSend(connection) }
                handle(.received(Data(buffer.prefix(Int(count)))))
                // A read of fewer bytes has probably emptied the socket, but OpenSSL may hold more. After a failure, nothing may be
                // left.
                if count < buffer.count, peer.tls == nil, !hasFailed { return false }
            }
            return true
        }

        /// Lets the caller that adds the next bytes send them.
        private func letCallerSend(_ connection: OpaquePointer) {
            outbox.withLock { outbox in
                guard !outbox.isClosed, outbox.bytes.isEmpty else { return }
                outbox.socket = errand_connection_descriptor(connection)
            }
        }
    }

    /// The bytes that callers have added to a connection, until its thread takes them.
    package struct CurlOutbox: Sendable {
        package var bytes = Data()
        package var isClosed = false
        /// The socket, while the next bytes can be sent by the thread that adds them. No other bytes wait then.
        package var socket: Int32?

        package init(isClosed: Bool = false) {
            self.isClosed = isClosed
        }

        /// Adds bytes, and sends them if nothing else waits.
        /// - Parameters:
        ///   - bytes: The bytes.
        ///   - send: Sends bytes to a socket. Returns the number of bytes that were sent.
        /// - Returns: Whether the thread of the connection has to send bytes.
        package mutating func add(_ bytes: Data, sending send: (Data, Int32) -> Int) -> Bool {
            if isClosed { return false }
            let sent = socket.take().map { send(bytes, $0) } ?? 0
            self.bytes.append(bytes.dropFirst(sent))
            return !self.bytes.isEmpty
        }
    }

    /// The bytes to send. OpenSSL requires that an attempt is repeated with the same bytes at the same address.
    private final class PendingBytes {
        private let chunk: UnsafeMutableBufferPointer<UInt8>
        private var range = 0..<0
        private var rest = Data()

        init(capacity: Int) {
            chunk = .allocate(capacity: capacity)
        }

        deinit { chunk.deallocate() }

        var isEmpty: Bool { range.isEmpty && rest.isEmpty }

        func append(_ bytes: Data) {
            // A slice keeps the bytes before its start in memory.
            if rest.startIndex > rest.count { rest = Data(rest) }
            rest.append(bytes)
        }

        /// Returns the bytes of the next attempt, or `nil` if all were sent.
        func next() -> UnsafeBufferPointer<UInt8>? {
            if range.isEmpty, !rest.isEmpty {
                range = 0..<rest.copyBytes(to: chunk)
                rest = range.count == rest.count ? Data() : rest.dropFirst(range.count)
            }
            return range.isEmpty ? nil : UnsafeBufferPointer(rebasing: chunk[range])
        }

        func remove(_ count: Int) { range = range.lowerBound + count..<range.upperBound }
    }

    extension ByteConnectionPeer {
        fileprivate var configuration: CurlSession.Configuration {
            var configuration = CurlSession.Configuration()
            configuration.proxy = .none
            configuration.connectTimeout = connectTimeout
            guard let tls else { return configuration }
            configuration.tls.authorities = tls.authorities.map { .file($0) } ?? .system
            configuration.tls.certificate = tls.certificate
            configuration.tls.key = tls.key
            configuration.tls.keyPassword = tls.keyPassword
            return configuration
        }
    }
#endif
