import Foundation

/// Interrupts the loop's wait from another thread. Releasing the last reference closes the pipe.
final class WakePipe: Sendable {
    let reader: Descriptor
    private let writer: Descriptor

    init() throws(LoopbackError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LoopbackError(.cannotListen, system: errno) }
        reader = Descriptor(owning: ends[0])
        writer = Descriptor(owning: ends[1])
        reader.prepare()
        writer.prepare()
    }

    func signal() {
        let raw = writer.raw
        var byte: UInt8 = 1
        _ = Transfer.repeating { write(raw, &byte, 1) }  // a full pipe also wakes the loop
    }

    func drain() {
        let raw = reader.raw
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while case .bytes = Transfer.repeating({ read(raw, buffer.baseAddress, buffer.count) }) {}
        }
    }
}
