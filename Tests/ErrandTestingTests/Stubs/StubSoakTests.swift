import Errand
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct StubSoakTests {
    @Test func `200 stubs use only their own routes`() async throws {
        // 20 concurrent stubs fit into a low limit of open files. On Linux, each stub needs four.
        for _ in 1...10 { try await see(20) }
    }

    private func see(_ stubs: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<stubs {
                group.addTask {
                    let stub = StubSession()
                    stub.on(.get, "/name", times: .exactly(4), reply: .text("\(number)"))
                    stub.on(
                        .get, "/later", times: .exactly(2), reply: .text("\(-number)").delayed(by: .milliseconds(1)))
                    for _ in 1...2 {
                        let responses = [
                            try await stub.call(.get, "/name"), try await stub.call(.get, "/later"),
                            try await stub.plainCall("/name"),
                        ]
                        #expect(responses == ["200 \(number)", "200 \(-number)", "200 \(number)"])
                    }
                    #expect(stub.recorded.count == 6)
                    try stub.verify()
                }
            }
            try await group.waitForAll()
        }
    }

    private func soak(_ count: Int) async {
        let stubs = (0..<8).map { _ in StubSession() }
        for stub in stubs {
            stub.on(.get, "/now", reply: .text("now"))
            stub.on(.get, "/late", reply: .text("late").delayed(by: .milliseconds(2)))
            stub.on(.get, "/parts", reply: .chunks([Data("pa".utf8), Data("rts".utf8)]).pausing(.milliseconds(1)))
            stub.on(.get, "/cut", reply: .text("cut").delayed(by: .milliseconds(1)).truncatingBody(after: 1))
        }
        let turns = Locked(0)
        let outcome = await Soak.run(count, seed: .random(in: 0 ... .max)) {
            let turn = turns.withLock { turn in
                turn += 1
                return turn
            }
            let name = ["now", "late", "parts", "cut"][turn % 4]
            do {
                let response = try await stubs[turn / 4 % 8].call(.get, "/\(name)")
                #expect(response == "200 \(name)" && name != "cut")
            } catch let error as ServiceError where error.code == .connectionLost && name == "cut" {}
        }
        #expect(outcome.others.isEmpty)
        #expect(outcome.finished + outcome.cancelled == count && outcome.finished > 0 && outcome.cancelled > 0)
    }

    @Test func `requests that are cancelled at random all end`() async { await soak(1_000) }

    @Test(.enabled(if: TestEnvironment.runsHeavyTests))
    func `20,000 requests that are cancelled at random all end`() async { await soak(20_000) }
}
