import Errand
import TestSupport
import Testing

@Suite struct ChunkQueueTests {
    @Test func `random chunks are read in order and only small ones are joined`() {
        var random = SplitMix(state: 5)
        for _ in 0..<200 {
            var queue = ChunkQueue()
            var (written, read, largest) = (Data(), Data(), ChunkQueue.joinedSize)
            for number in 0..<Int.random(in: 1...200, using: &random) {
                let count = [0, 1, 100, 16 << 10, 65 << 10].randomElement(using: &random) ?? 0
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count)
                if Bool.random(using: &random) {
                    queue.append(Data(bytes))
                } else {
                    bytes.withUnsafeBufferPointer { queue.append($0) }
                }
                written.append(contentsOf: bytes)
                largest = max(largest, count)
                for _ in 0..<Int.random(in: 0...2, using: &random) { read.append(queue.popFirst() ?? Data()) }
                guard queue.count == written.count - read.count else { break }
            }
            while let chunk = queue.popFirst() {
                #expect(!chunk.isEmpty && chunk.count <= largest)
                read.append(chunk)
            }
            let isEqual = read == written
            #expect(isEqual && queue.isEmpty && queue.popFirst() == nil)
        }
    }

    @Test func `blocks are joined up to 64 kB`() {
        var queue = ChunkQueue()
        for _ in 0..<9 { queue.append(Data(count: 16 << 10)) }
        var counts: [Int] = []
        while let chunk = queue.popFirst() { counts.append(chunk.count >> 10) }
        #expect(counts == [64, 64, 16])
    }
}
