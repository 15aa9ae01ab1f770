import ErrandLoopback
import Foundation
import Testing

@Suite struct OutboxTests {
    @Test func `bytes are sent in order and a pause delays them`() {
        var outbox = Outbox()
        let large = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0) })
        outbox.append(Array("a".utf8))
        outbox.append(large)
        outbox.append(Array("b".utf8))
        #expect(outbox.byteCount == 600_002)
        #expect(drain(&outbox) == Data("a".utf8) + large + Data("b".utf8))
        outbox.appendPause(.seconds(9))
        outbox.append(Data("c".utf8))
        #expect(outbox.next() == .wait(.seconds(9)))
        #expect(outbox.next() == .waiting)
        outbox.resume()
        #expect(drain(&outbox) == Data("c".utf8))
        #expect(outbox.isEmpty)
    }

    @Test(arguments: [(0, ""), (3, "abc"), (4, "abcd"), (9, "abcdef")])
    func `a limit truncates the output`(limit: Int, kept: String) {
        var outbox = Outbox()
        outbox.allow(limit)
        outbox.append(Array("abc".utf8))
        outbox.append(Data("def".utf8))
        #expect(drain(&outbox) == Data(kept.utf8))
        #expect(outbox.isCutOff == (limit <= 6))
    }

    @Test func `timers expire in order`() {
        var timers = TimerQueue<Int>()
        let start = ContinuousClock.now
        for number in (0..<100).shuffled() { timers.add(number, at: start + .seconds(number)) }
        #expect(timers.nextDeadline == start)
        var due: [Int] = []
        while let number = timers.popDue(at: start + .seconds(49)) { due.append(number) }
        #expect(due == Array(0..<50))
        #expect(timers.nextDeadline == start + .seconds(50))
    }

    private func drain(_ outbox: inout Outbox) -> Data {
        var result = Data()
        while case .bytes(let count) = outbox.next() {
            outbox.withUnsafeBytes { result.append(contentsOf: $0.prefix(count)) }
            outbox.drop(count)
        }
        return result
    }
}
