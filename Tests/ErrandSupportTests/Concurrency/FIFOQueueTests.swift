import ErrandSupport
import TestSupport
import Testing

@Suite struct FIFOQueueTests {
    @Test func `random operations have the same results as an array`() {
        var random = SplitMix(state: 7)
        for _ in 0..<TestEnvironment.rounds(20, heavy: 500) {
            var (queue, model) = (FIFOQueue<Int>(), [Int]())
            for next in 0..<500 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    let first = queue.popFirst()
                    let expected = model.isEmpty ? nil : model.removeFirst()
                    #expect(first == expected)
                case 1:
                    let element = Int.random(in: 0...next, using: &random)
                    let index = model.firstIndex(of: element)
                    let isRemoved = queue.remove(element)
                    #expect(isRemoved == (index != nil))
                    if let index { model.remove(at: index) }
                default:
                    queue.append(next)
                    model.append(next)
                }
                #expect(queue.isEmpty == model.isEmpty)
            }
            while !model.isEmpty {
                let first = queue.popFirst()
                let expected = model.removeFirst()
                #expect(first == expected)
            }
            let end = queue.popFirst()
            #expect(end == nil && queue.isEmpty)
        }
    }

    @Test func `an element that is removed and appended is last`() {
        var queue = FIFOQueue<String>()
        for element in ["a", "b", "c"] { queue.append(element) }
        let isRemoved = queue.remove("a")
        queue.append("a")
        let order = [queue.popFirst(), queue.popFirst(), queue.popFirst(), queue.popFirst()]
        #expect(isRemoved && order == ["b", "c", "a", nil])
    }
}
