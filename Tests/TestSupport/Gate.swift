/// A gate that tests and replies wait for. It opens once. A cancelled task passes it, too.
package final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    package func open() {
        continuation.finish()
    }

    package func wait() async {
        for await _ in stream {}
    }
}
