import Foundation

/// Counts the bytes of one body up to its limit, and stores them if `keepsBytes` is true.
struct BodyCollector {
    let limit: Int
    let keepsBytes: Bool
    private(set) var data = Data()
    private(set) var count = 0

    init(limit: Int, keepsBytes: Bool) {
        self.limit = limit
        self.keepsBytes = keepsBytes
    }

    var room: Int { max(limit - count, 0) }

    /// Moves up to `length` bytes out of the queue. Returns their number.
    mutating func take(_ length: Int, from input: inout ByteQueue) -> Int {
        let taken = min(length, input.count)
        guard taken > 0 else { return 0 }
        count += taken
        if keepsBytes {
            input.withUnsafeBytes { bytes in
                bytes.prefix(taken).withContiguousStorageIfAvailable { data.append($0) }
            }
        }
        input.drop(taken)
        return taken
    }
}
