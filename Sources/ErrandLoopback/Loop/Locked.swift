import Synchronization

/// A `Mutex` whose order the Thread Sanitizer can see.
///
/// On Linux a contended `Mutex` is handed over inside the kernel, which the sanitizer does not observe: it then
/// reports races between critical sections that cannot overlap. A release and an acquire of our own, within the lock,
/// make the order visible; they cost one plain store and load and change nothing else.
struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    private let order = Atomic<Int>(0)

    init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    borrowing func withLock<Result: ~Copyable>(_ body: (inout sending Value) -> sending Result) -> sending Result {
        mutex.withLock { value in
            _ = order.load(ordering: .acquiring)
            defer { order.store(0, ordering: .releasing) }
            return body(&value)
        }
    }
}
