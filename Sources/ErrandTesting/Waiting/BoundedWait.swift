import Errand

/// Runs work that may never end. Returns `nil` if it does not end within the limit.
///
/// Uses unstructured tasks, because a task group would wait forever for work that hangs.
package func bounded<Value: Sendable>(
    by limit: Duration, _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    let (results, source) = AsyncStream<Value>.makeStream()
    let task = Task { source.yield(await work()) }
    let timer = Task {
        try await SystemTime.system.sleep(until: SystemTime.system.now + limit)
        source.finish()
    }
    defer {
        task.cancel()
        timer.cancel()
    }
    return await results.first { _ in true }
}
