import Foundation

/// Constants that the C libraries declare differently.
enum SystemConstants {
    #if canImport(Glibc)
        static let streamSocket = Int32(SOCK_STREAM.rawValue)
        static let noSignal = Int32(MSG_NOSIGNAL)
    #elseif canImport(Musl)
        static let streamSocket = SOCK_STREAM
        static let noSignal = Int32(MSG_NOSIGNAL)
    #else
        static let streamSocket = SOCK_STREAM
        static let noSignal: Int32 = 0
    #endif

    /// Disables SIGPIPE for writes to a closed socket, on platforms with a socket option for it.
    static func silencePipeSignal(of descriptor: Int32) {
        #if canImport(Darwin)
            var on: Int32 = 1
            _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }
}
