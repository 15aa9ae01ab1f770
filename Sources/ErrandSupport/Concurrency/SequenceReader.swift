extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Returns a function that returns the next element, or `nil` at the end. Its calls must not overlap.
    ///
    /// In iOS 18 and later, the sequence is iterated in the caller's isolation.
    package func makeReader() -> () async throws -> Element? {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            var iterator = makeAsyncIterator()
            return { try await iterator.next(isolation: #isolation) }
        }
        let reader = SequenceReader(self)
        return { try await reader.next() }
    }
}

/// Iterates a sequence in a separate task, one element for each call of ``next()``. Releasing the reader cancels the
/// task.
///
/// Before iOS 18, an iterator that is not `Sendable` cannot be used in the caller's isolation.
package final class SequenceReader<Element: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Element?, any Error>

    private struct State {
        var waiter: Waiter?
        var source: CheckedContinuation<Waiter?, Never>?
        var isDropped = false
    }

    /// The state that is shared with the task. The task must not retain the reader.
    private final class Exchange: Sendable {
        let state = Locked(State())

        func ask(_ waiter: Waiter) {
            let source = state.withLock { state in
                if state.source == nil { state.waiter = waiter }
                return state.source.take()
            }
            source?.resume(returning: waiter)
        }

        /// Returns the next call that waits for an element, or `nil` after the reader was released.
        func nextWaiter() async -> Waiter? {
            await withCheckedContinuation { source in
                let (waiter, isDropped) = state.withLock { state in
                    if state.waiter == nil, !state.isDropped { state.source = source }
                    return (state.waiter.take(), state.isDropped)
                }
                if waiter != nil || isDropped { source.resume(returning: waiter) }
            }
        }

        func drop() {
            let source = state.withLock { state in
                state.isDropped = true
                return state.source.take()
            }
            source?.resume(returning: nil)
        }
    }

    private let exchange = Exchange()
    private let task: Task<Void, Never>

    /// Starts the task, which creates the iterator.
    package init<Elements: AsyncSequence & Sendable>(_ elements: Elements) where Elements.Element == Element {
        task = Task { [exchange] in
            var iterator = elements.makeAsyncIterator()
            while let waiter = await exchange.nextWaiter() {
                do {
                    waiter.resume(returning: try await iterator.next())
                } catch {
                    waiter.resume(throwing: error)
                }
            }
        }
    }

    deinit {
        task.cancel()
        exchange.drop()
    }

    /// Returns the next element, or `nil` at the end. Cancelling the caller cancels the sequence's task.
    /// - Throws: The error of the sequence.
    package func next() async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { exchange.ask($0) }
        } onCancel: {
            task.cancel()
        }
    }
}
