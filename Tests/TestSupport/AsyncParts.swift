package import Foundation

/// An asynchronous sequence of body chunks. It calls a closure before each chunk.
package struct AsyncParts: AsyncSequence, Sendable {
    private let parts: [Data]
    private let error: (any Error)?
    private let waits: Bool
    private let observe: @Sendable () -> Void

    /// - Parameters:
    ///   - parts: The chunks.
    ///   - error: The error to throw after the chunks. If `nil` (the default), the sequence ends.
    ///   - waits: Whether the sequence suspends after the chunks until the task is cancelled. The default is `false`.
    ///   - observe: Called each time a chunk, or the end, is requested.
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
