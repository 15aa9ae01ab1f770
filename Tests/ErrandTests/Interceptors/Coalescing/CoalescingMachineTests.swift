import Errand
import TestSupport
import Testing

@Suite struct CoalescingMachineTests {
    private typealias Machine = CoalescingMachine<String, Int>

    @Test func `callers share a running transfer, later callers start another`() {
        var machine = Machine()
        #expect(
            [machine.join("a", 1), machine.join("b", 2), machine.join("a", 3)] == [.lead(1), .lead(2), .follow(1)])
        #expect(machine.finish(1) == [1, 3])
        #expect(machine.join("a", 4) == .lead(3))
        #expect(machine.finish(1) == [], "the transfer has already ended")
    }

    @Test func `the last caller to leave ends the transfer`() {
        var machine = Machine()
        #expect([machine.join("a", 1), machine.join("a", 2)] == [.lead(1), .follow(1)])
        #expect([machine.leave(1, 1), machine.leave(1, 1), machine.leave(1, 2)] == [false, false, true])
        #expect(machine.join("a", 3) == .lead(2))
        #expect(machine.finish(1) == [] && machine.finish(2) == [3])
        #expect(machine.isEmpty)
    }

    /// A reference model that records the expected transfer of each ticket.
    private struct Model {
        var machine = Machine()
        var transferOf: [Int: Int] = [:]
        var keyOf: [Int: Int] = [:]
        var running: [Int: Int] = [:]

        mutating func join(_ key: Int, _ ticket: Int) {
            switch machine.join("\(key)", ticket) {
            case .lead(let transfer):
                #expect(!running.values.contains(key), "a key has at most one transfer")
                running[transfer] = key
                transferOf[ticket] = transfer
            case .follow(let transfer):
                #expect(running[transfer] == key, "a follower joins the transfer of its key")
                transferOf[ticket] = transfer
            }
        }

        mutating func leave(_ ticket: Int) {
            guard let transfer = transferOf.removeValue(forKey: ticket) else { return }
            let isLast = !transferOf.values.contains(transfer)
            #expect(machine.leave(transfer, ticket) == isLast)
            if isLast { running[transfer] = nil }
        }

        mutating func finish(_ transfer: Int) {
            guard running.removeValue(forKey: transfer) != nil else { return }
            let expected = Set(transferOf.filter { $0.value == transfer }.keys)
            #expect(machine.finish(transfer) == expected, "exactly the waiting tickets")
            for ticket in expected { transferOf[ticket] = nil }
        }
    }

    @Test func `no order of events loses a waiter or mixes keys`() async {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix(state: seed)
        for _ in 0..<TestEnvironment.rounds(300, heavy: 10_000) {
            var model = Model()
            for ticket in 0..<40 {
                switch random.next() % 5 {
                case 0, 1, 2: model.join(Int(random.next() % 3), ticket)
                case 3: model.transferOf.keys.sorted().randomElement(using: &random).map { model.leave($0) }
                default: model.running.keys.sorted().randomElement(using: &random).map { model.finish($0) }
                }
                #expect(model.machine.isEmpty == model.running.isEmpty, "seed \(seed)")
            }
            for transfer in model.running.keys.sorted() { model.finish(transfer) }
            #expect(model.machine.isEmpty && model.transferOf.isEmpty, "seed \(seed)")
            await Task.yield()
        }
    }
}
