import Foundation

/// Runs calculations that take a second or more on separate threads. On the threads of the tasks, of which there is one for
/// each core, a few of them would stop all other tests.
package enum SeparateThread {
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}
