/// Returns the time that an idle task takes to end after its cancellation. Tests that limit the time of a cancellation
/// use it as a measure of the machine's load.
package func timeToEndIdly() async -> Duration {
    let task = Task { await waitUntilCancelled() }
    let start = ContinuousClock.now
    task.cancel()
    await task.value
    return ContinuousClock.now - start
}

/// Waits until the task is cancelled.
package func waitUntilCancelled() async {
    // The stream has no elements. Its iterator ends when the task is cancelled.
    let (stream, source) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    withExtendedLifetime(source) {}
}
