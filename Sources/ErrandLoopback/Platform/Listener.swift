import Foundation

/// The listening socket on 127.0.0.1.
struct Listener: ~Copyable {
    private(set) var descriptor: Descriptor
    let port: Int

    enum Outcome: ~Copyable {
        case connection(Descriptor)
        case none
        /// The process or the system is out of descriptors or memory. Retry later.
        case exhausted
    }

    init(port: Int) throws(LoopbackError) {
        guard let wanted = in_port_t(exactly: port) else { throw LoopbackError(.cannotListen, system: EINVAL) }
        let descriptor = Descriptor(owning: socket(AF_INET, SystemConstants.streamSocket, 0))
        guard descriptor.raw >= 0 else { throw LoopbackError(.cannotListen, system: errno) }
        descriptor.prepare()
        descriptor.set(SO_REUSEADDR, to: 1)
        guard Self.bind(descriptor.raw, to: wanted), listen(descriptor.raw, SOMAXCONN) == 0,
            let port = Self.boundPort(of: descriptor.raw)
        else { throw LoopbackError(.cannotListen, system: errno) }
        self.descriptor = descriptor
        self.port = port
    }

    /// Accepts one waiting connection, if there is one.
    borrowing func accept() -> Outcome {
        while true {
            let raw = Foundation.accept(descriptor.raw, nil, nil)
            if raw >= 0 {
                let connection = Descriptor(owning: raw)
                connection.prepare()
                connection.set(TCP_NODELAY, at: Int32(IPPROTO_TCP), to: 1)
                SystemConstants.silencePipeSignal(of: raw)
                return .connection(connection)
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN, EWOULDBLOCK: return .none
            default: return .exhausted
            }
        }
    }

    mutating func close() {
        descriptor.close()
    }

    private static func bind(_ raw: Int32, to port: in_port_t) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { pointer in
                Foundation.bind(raw, pointer.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func boundPort(of raw: Int32) -> Int? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { getsockname(raw, $0.baseAddress, &length) }
        }
        return result == 0 ? Int(in_port_t(bigEndian: address.sin_port)) : nil
    }
}
