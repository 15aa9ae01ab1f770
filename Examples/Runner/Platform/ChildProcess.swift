import Errand

/// Another process of this program.
enum ChildProcess {
    /// Runs a process, and waits for its end. Only macOS and Linux have `Process`.
    /// - Throws: ``ServiceError`` if it cannot be started or fails.
    static func run(_ arguments: [String]) async throws {
        #if os(macOS) || os(Linux)
            let process = Process()
            process.executableURL = Bundle.main.executableURL
            process.arguments = arguments
            let status = try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Int32, any Error>) in
                process.terminationHandler = { waiter.resume(returning: $0.terminationStatus) }
                do { try process.run() } catch { waiter.resume(throwing: error) }
            }
            guard status == 0 else { throw ServiceError(.transport, "a process failed with status \(status)") }
        #else
            throw ServiceError(.configuration, "this platform cannot start processes")
        #endif
    }
}
