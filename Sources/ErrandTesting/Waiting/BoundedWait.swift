import Errand

/// Runs work that may never end; nil where it had not after a time.
///
/// Unstructured, since work that hangs would keep a task group waiting for ever.
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
