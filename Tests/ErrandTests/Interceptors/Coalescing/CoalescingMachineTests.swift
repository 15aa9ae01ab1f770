import Errand
import TestSupport
import Testing

@Suite struct CoalescingMachineTests {
    private typealias Machine = CoalescingMachine<String, Int>

    @Test func `who comes while a transfer runs shares it, and who comes later begins anew`() {
        var machine = Machine()
        #expect(
            [machine.join("a", 1), machine.join("b", 2), machine.join("a", 3)] == [.lead(1), .lead(2), .follow(1)])
        #expect(machine.finish(1) == [1, 3])
        #expect(machine.join("a", 4) == .lead(3))
        #expect(machine.finish(1) == [], "it has ended once")
    }

    @Test func `the last one who leaves ends it, and nobody joins what is ending`() {
        var machine = Machine()
        #expect([machine.join("a", 1), machine.join("a", 2)] == [.lead(1), .follow(1)])
        #expect([machine.leave(1, 1), machine.leave(1, 1), machine.leave(1, 2)] == [false, false, true])
        #expect(machine.join("a", 3) == .lead(2))
        #expect(machine.finish(1) == [] && machine.finish(2) == [3])
        #expect(machine.isEmpty)
    }

    /// What each ticket must have come to, beside the machine.
    private struct Model {
        var machine = Machine()
        var transferOf: [Int: Int] = [:]
        var keyOf: [Int: Int] = [:]
        var running: [Int: Int] = [:]

        mutating func join(_ key: Int, _ ticket: Int) {
            switch machine.join("\(key)", ticket) {
            case .lead(let transfer):
                #expect(!running.values.contains(key), "there is one transfer of a key")
                running[transfer] = key
                transferOf[ticket] = transfer
            case .follow(let transfer):
                #expect(running[transfer] == key, "a follower gets its own key's")
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
            #expect(machine.finish(transfer) == expected, "everyone who waits, and nobody else")
            for ticket in expected { transferOf[ticket] = nil }
        }
    }

    @Test func `no order of events loses a waiter or shares too much`() async {
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
