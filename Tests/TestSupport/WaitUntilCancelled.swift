/// How long a task with nothing to do takes to end once it is cancelled: what bounds on such ends are to leave to the
/// machine, which is busy with the other tests.
package func timeToEndIdly() async -> Duration {
    let task = Task { await waitUntilCancelled() }
    let start = ContinuousClock.now
    task.cancel()
    await task.value
    return ContinuousClock.now - start
}

/// Waits until the task is cancelled.
package func waitUntilCancelled() async {
    // Nothing is ever sent: a stream's iterator ends when its task is cancelled.
    let (stream, source) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    withExtendedLifetime(source) {}
}
