import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct WireMutatorTests {
    private let mutator = WireMutator(seed: 7)

    @Test func `the same seed and index produce the same exchange in any order`() {
        let forwards = (0..<50).map { mutator.exchange($0).parts }
        let backwards = (0..<50).reversed().map { WireMutator(seed: 7).exchange($0).parts }
        #expect(forwards == backwards.reversed())
        #expect(forwards != (0..<50).map { WireMutator(seed: 8).exchange($0).parts })
    }

    @Test func `responses without mutations are valid, and mutated responses may fail`() {
        var complete = 0
        for index in 0..<TestEnvironment.rounds(200, heavy: 50_000, patient: 100) {
            let exchange = mutator.exchange(index)
            let expectation = exchange.expectation
            guard exchange.mutations.isEmpty else {
                #expect(!expectation.mustSucceed, "\(exchange)")
                continue
            }
            complete += 1
            #expect(expectation.mustSucceed && expectation.responses.count == 1, "\(exchange): \(expectation)")
            #expect(expectation.length == exchange.bytes.count, "\(exchange)")
        }
        #expect(complete > 10)
    }

    @Test func `a connection stays open only after a response with a declared end`() {
        let exchanges = (0..<200).map { mutator.exchange($0) }
        #expect(exchanges.contains { $0.ending == .keepOpen } && exchanges.contains { $0.ending == .reset })
        for exchange in exchanges where exchange.ending == .keepOpen {
            #expect(exchange.expectation.endsByItself && exchange.expectation.mustSucceed)
        }
    }

    @Test func `the mutator covers all kinds of responses`() {
        let exchanges = (0..<TestEnvironment.rounds(700, heavy: 3_000)).map { mutator.exchange($0) }
        let names = Set(exchanges.flatMap(\.mutations))
        #expect(names.count > 40, "\(names.sorted())")
        #expect(exchanges.count { $0.expectation.flaw != nil } > 100)
        #expect(exchanges.count { $0.expectation.mustSucceed } > 60)
        #expect(exchanges.count { !$0.expectation.freedoms.isEmpty && $0.expectation.flaw == nil } > 60)
        #expect(exchanges.contains { $0.parts.count > 20 } && exchanges.contains { $0.method == .head })
        #expect(exchanges.contains { $0.bytes.count > 9_000 } && exchanges.contains { $0.bytes.count < 9 })
        #expect(Set(exchanges.flatMap(\.expectation.freedoms)).count > 15)
    }
}
