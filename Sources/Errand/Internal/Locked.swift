import Synchronization

/// A `Mutex` whose order the Thread Sanitizer can see.
///
/// On Linux a contended `Mutex` is handed over inside the kernel, out of the sanitizer's sight, which then reports races
/// between critical sections that can't overlap. A store and a load of our own, inside the lock, show the order.
package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    private let order = Atomic(0)

    package init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Runs a body alone with the value; no `await` and no foreign code in it.
    package borrowing func withLock<Result: ~Copyable>(
        _ body: (inout sending Value) -> sending Result
    ) -> sending Result {
        mutex.withLock { value in
            _ = order.load(ordering: .acquiring)
            defer { order.store(0, ordering: .releasing) }
            return body(&value)
        }
    }
}
