/// Bytes that are appended at one end and dropped at the other.
struct ByteQueue {
    private var storage: [UInt8] = []
    private var start = 0

    var count: Int { storage.count - start }
    var isEmpty: Bool { storage.count == start }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        makeRoom()
        storage.append(contentsOf: bytes)
    }

    mutating func append(_ bytes: some Collection<UInt8>) {
        makeRoom()
        storage.append(contentsOf: bytes)
    }

    mutating func append(_ byte: UInt8) {
        storage.append(byte)
    }

    /// Forgets the first `count` bytes, or all of them when there are fewer.
    mutating func drop(_ count: Int) {
        start += min(count, self.count)
        guard start == storage.count else { return }
        storage.removeAll(keepingCapacity: storage.capacity <= 1 << 18)
        start = 0
    }

    mutating func removeAll() {
        drop(count)
    }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try storage.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Moves what is left to the front once more room is wasted than used, which keeps the cost per byte constant.
    private mutating func makeRoom() {
        guard start > 4096, start > count else { return }
        storage.removeSubrange(..<start)
        start = 0
    }
}
