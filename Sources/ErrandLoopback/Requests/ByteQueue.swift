/// A byte buffer with appends at the end and removals at the front.
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

    /// Removes the first `count` bytes, or all bytes if there are fewer.
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

    /// Moves the remaining bytes to the front if most of the storage is unused. The cost per byte stays constant.
    private mutating func makeRoom() {
        guard start > 4096, start > count else { return }
        storage.removeSubrange(..<start)
        start = 0
    }
}
