import ErrandSupport
import Foundation

/// A joinable thread, so that a server can guarantee that its thread has ended.
final class LoopThread: Sendable {
    private let handle: Locked<pthread_t?>

    /// Starts the thread.
    /// - Throws: ``LoopbackError`` with code ``LoopbackError/Code/cannotListen`` if the system cannot create a thread.
    init(named name: String, _ body: sending @escaping () -> Void) throws(LoopbackError) {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var thread: pthread_t?
        let code = Self.create(&thread, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw LoopbackError(.cannotListen, system: code)
        }
        handle = Locked(thread)
    }

    /// Waits for the end of the thread. Concurrent callers also return only after the end.
    ///
    /// This call blocks. Call it only when the thread's work is known to be complete.
    func join() {
        handle.withLock { handle in
            guard let thread = handle else { return }
            pthread_join(thread, nil)
            handle = nil
        }
    }

    /// Detaches the thread, so that its resources are released when it ends.
    func detach() {
        handle.withLock { handle in
            guard let thread = handle else { return }
            pthread_detach(thread)
            handle = nil
        }
    }

    private final class Start {
        let name: String
        let body: () -> Void

        init(name: String, body: @escaping () -> Void) {
            self.name = name
            self.body = body
        }

        static func run(_ opaque: UnsafeMutableRawPointer) {
            let start = Unmanaged<Start>.fromOpaque(opaque).takeRetainedValue()
            Thread.current.name = start.name
            start.body()
        }
    }

    private static func create(_ handle: inout pthread_t?, _ argument: UnsafeMutableRawPointer) -> Int32 {
        #if canImport(Darwin)
            let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { argument in
                Start.run(argument)
                return nil
            }
        #else
            let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
                if let argument { Start.run(argument) }
                return nil
            }
        #endif
        #if canImport(Glibc)
            // `pthread_t` is an integer in Glibc and a pointer in the other C libraries.
            var created = pthread_t()
            let code = pthread_create(&created, nil, entry, argument)
            handle = code == 0 ? created : nil
            return code
        #else
            return pthread_create(&handle, nil, entry, argument)
        #endif
    }
}
