import Errand
import ErrandSupport
import Foundation

/// Runs blocking code on a separate thread, so that it does not block the server's tasks.
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

/// Tells the Thread Sanitizer that a continuation orders the code before and after it.
private final class Order: Sendable {
    private let value = Locked(0)

    func precede() {
        value.withLock { $0 = 1 }
    }

    func follow() {
        value.withLock { _ in }
    }
}

/// Constants that the C libraries declare differently.
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
