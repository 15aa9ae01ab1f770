import Foundation

/// Runs blocking code on a thread of its own, so that it can't keep the server's tasks from running.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
    }
}

/// The names that the C libraries spell differently.
enum ClientConstants {
    #if canImport(Glibc)
        static let streamSocket = Int32(SOCK_STREAM.rawValue)
        static let noSignal = Int32(MSG_NOSIGNAL)
    #else
        static let streamSocket = SOCK_STREAM
        static let noSignal: Int32 = 0
    #endif
}
