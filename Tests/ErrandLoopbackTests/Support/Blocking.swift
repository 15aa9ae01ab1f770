import Errand
import ErrandSupport
import Foundation

/// Runs blocking code on a thread of its own, so that it can't keep the server's tasks from running.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    let order = Order()
    defer { order.follow() }
    return try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            let result = Swift.Result(catching: body)
            order.precede()
            continuation.resume(with: result)
        }
    }
}

/// Shows the Thread Sanitizer that a continuation orders what comes before it and after it.
private final class Order: Sendable {
    private let value = Locked(0)

    func precede() {
        value.withLock { $0 = 1 }
    }

    func follow() {
        value.withLock { _ in }
    }
}

/// The names that the C libraries spell differently.
enum ClientConstants {
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
}
