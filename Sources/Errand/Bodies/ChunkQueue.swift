/// Chunks of bytes in the order of their arrival. Small chunks are joined, and large ones are never copied again.
package struct ChunkQueue: Sendable {
    /// The size in bytes up to which chunks are joined: 64 kB.
    package static let joinedSize: Int = 64 << 10
    /// The maximum size in bytes of a block that libcurl passes on.
    private static let blockSize = 16 << 10

    private var chunks: [Data] = []
    private var first = 0
    /// The number of bytes.
    package private(set) var count: Int = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ bytes: Data) {
        guard !bytes.isEmpty else { return }
        if joins(bytes.count) { chunks[chunks.count - 1].append(bytes) } else { chunks.append(bytes) }
        count += bytes.count
    }

    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !bytes.isEmpty else { return }
        if !joins(bytes.count) {
            // After a block of the maximum size, more are likely. If the chunk grew, its bytes would be copied.
            chunks.append(Data(capacity: bytes.count < Self.blockSize ? bytes.count : Self.joinedSize))
        }
        chunks[chunks.count - 1].append(bytes)
        count += bytes.count
    }

    /// Removes the first chunk. Returns `nil` if there is none.
    package mutating func popFirst() -> Data? {
        guard first < chunks.count else { return nil }
        let chunk = chunks[first]
        // Otherwise, the list would keep the bytes in memory.
        chunks[first] = Data()
        first += 1
        count -= chunk.count
        if first == chunks.count {
            chunks.removeAll(keepingCapacity: true)
            first = 0
        } else if first == 64 {
            chunks.removeFirst(first)
            first = 0
        }
        return chunk
    }

    /// Whether the last chunk has room for more bytes.
    private func joins(_ more: Int) -> Bool {
        guard first < chunks.count, let last = chunks.last else { return false }
        return last.count + more <= Self.joinedSize
    }
}
