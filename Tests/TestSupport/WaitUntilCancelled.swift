/// Waits until the task is cancelled.
package func waitUntilCancelled() async {
    // Nothing is ever sent: a stream's iterator ends when its task is cancelled.
    let (stream, source) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    withExtendedLifetime(source) {}
}
