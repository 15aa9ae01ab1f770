#if canImport(Network)
    import ErrandSupport
    import Network

    /// A connection of Network.framework.
    package final class NetworkConnection: ByteConnection {
        private static let bufferSize = 65_536

        private let connection: NWConnection
        private let queue = DispatchQueue(label: "errand.connection")
        private let handle: @Sendable (ByteConnectionEvent) -> Void
        private let isReady = Locked(false)
        private let hasEnded = Locked(false)

        /// Starts to establish a connection.
        /// - Parameters:
        ///   - peer: The peer of the connection. Its certificate must be signed by an authority of the system.
        ///   - handle: Handles an event. Called on the queue of the connection.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration``.
        package init(
            to peer: ByteConnectionPeer, _ handle: @escaping @Sendable (ByteConnectionEvent) -> Void
        ) throws(ServiceError) {
            _ = try peer.url()
            if let tls = peer.tls, tls.authorities != nil || tls.certificate != nil {
                throw ServiceError(
                    .configuration,
                    "unsupported TLS settings: custom authorities and client certificates require Linux")
            }
            guard let number = UInt16(exactly: peer.port), let port = NWEndpoint.Port(rawValue: number) else {
                throw ServiceError(.configuration, "invalid server address: expected a host and a port from 1 to 65535")
            }
            self.handle = handle
            let parameters = peer.tls == nil ? NWParameters.tcp : NWParameters.tls
            connection = NWConnection(host: NWEndpoint.Host(peer.host), port: port, using: parameters)
            connection.stateUpdateHandler = { [weak self] in self?.update($0) }
            connection.start(queue: queue)
            queue.asyncAfter(deadline: .now() + peer.connectTimeout / .seconds(1)) { [weak self] in
                guard let self, self.connection.state != .ready else { return }
                self.end(ServiceError(.connection, "the connection was not established in time"))
            }
        }

        package func send(_ bytes: Data) {
            connection.send(
                content: bytes,
                completion: .contentProcessed { [weak self] error in
                    if let self, let error { self.end(self.failure(error)) }
                })
        }

        package func close() {
            queue.async { self.end(ServiceError(.connectionLost, "the connection has ended")) }
        }

        private func update(_ state: NWConnection.State) {
            guard !hasEnded.withLock({ $0 }) else { return }
            switch state {
            case .ready:
                isReady.withLock { $0 = true }
                handle(.opened)
                receive()
            case .failed(let error), .waiting(let error): end(failure(error))
            case .cancelled: end(ServiceError(.connectionLost, "the connection has ended"))
            default: break
            }
        }

        private func receive() {
            connection.receive(minimumIncompleteLength: 1, maximumLength: Self.bufferSize) {
                [weak self] bytes, _, isLast, error in
                guard let self, !self.hasEnded.withLock({ $0 }) else { return }
                if let bytes, !bytes.isEmpty { self.handle(.received(bytes)) }
                if let error { return self.end(self.failure(error)) }
                if isLast { return self.end(ServiceError(.connectionLost, "the connection has ended")) }
                self.receive()
            }
        }

        private func end(_ error: ServiceError) {
            let isFirst = hasEnded.withLock { ended in
                defer { ended = true }
                return !ended
            }
            guard isFirst else { return }
            connection.cancel()
            handle(.ended(error))
        }

        private func failure(_ error: NWError) -> ServiceError {
            switch error {
            case .tls(let status): ServiceError(.tls, "the TLS connection failed (status \(status))")
            case .dns(let code):
                ServiceError(.connection, "the name of the server cannot be resolved (DNS error \(code))")
            case .posix(let code):
                ServiceError(
                    isReady.withLock { $0 } ? .connectionLost : .connection,
                    "the connection failed (error \(code.rawValue))")
            default: ServiceError(.connection, "the connection failed")
            }
        }
    }
#endif
