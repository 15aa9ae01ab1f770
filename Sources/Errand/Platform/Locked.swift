// A copy of the lock in ErrandSupport. The compiler does not specialize that one in this module, even if it is
// inlinable. Each use would look up generic metadata, and the interceptors would take a quarter more time.

#if canImport(Darwin)
    import os

    /// A value that is protected by a lock. It need not be `Sendable`, because no reference to its contents enters or
    /// leaves the lock.
    ///
    /// `Mutex`, which is used on Linux, allows a body to capture more. It requires iOS 18, this lock only iOS 16.
    struct Locked<Value>: ~Copyable, Sendable {
        private let lock: OSAllocatedUnfairLock<Value>

        init(_ value: sending Value) {
            lock = OSAllocatedUnfairLock(uncheckedState: value)
        }

        /// Runs a body with exclusive access to the value. The body must not call code of the library's users.
        borrowing func withLock<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
            lock.withLock(body)
        }
    }
#else
    import Synchronization

    /// A `Mutex` with an order that the Thread Sanitizer can see.
    ///
    /// On Linux a contended `Mutex` is handed over inside the kernel, which the sanitizer does not observe. It then
    /// reports races between critical sections that cannot overlap. A release and an acquire within the lock make the
    /// order visible. They cost one plain store and load and change nothing else.
    struct Locked<Value>: ~Copyable, Sendable {
        private let mutex: Mutex<Value>
        private let order = Atomic(0)

        init(_ value: sending Value) {
            mutex = Mutex(value)
        }

        /// Runs a body with exclusive access to the value. The body must not call code of the library's users.
        borrowing func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
            mutex.withLock { value in
                _ = order.load(ordering: .acquiring)
                defer { order.store(0, ordering: .releasing) }
                return body(&value)
            }
        }
    }
#endif
