package import Foundation

/// Parts of a body as a sequence, with what a test wants to see happen between them.
package struct AsyncParts: AsyncSequence, Sendable {
    private let parts: [Data]
    private let error: (any Error)?
    private let waits: Bool
    private let observe: @Sendable () -> Void

    /// - Parameters:
    ///   - parts: What comes.
    ///   - error: What is thrown after it; nil where it ends well.
    ///   - waits: Whether nothing comes any more after the parts, until the task is cancelled.
    ///   - observe: Called each time that a part, or the end, is asked for.
    package init(
        _ parts: [Data], then error: (any Error)? = nil, waits: Bool = false,
        observe: @escaping @Sendable () -> Void = {}
    ) {
        self.parts = parts
        self.error = error
        self.waits = waits
        self.observe = observe
    }

    package func makeAsyncIterator() -> Iterator { Iterator(sequence: self, rest: parts[...]) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let sequence: AsyncParts
        fileprivate var rest: ArraySlice<Data>

        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            sequence.observe()
            if let part = rest.popFirst() { return part }
            if sequence.waits { await waitUntilCancelled() }
            if let error = sequence.error { throw error }
            return nil
        }

        package mutating func next() async throws -> Data? { try await next(isolation: nil) }
    }
}
