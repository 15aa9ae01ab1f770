import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Compares the cache with ``CacheModel`` in random sequences of requests: 10,000 with `ERRAND_HEAVY=1`, otherwise 500.
@Suite(.timeLimit(.minutes(5))) struct CacheModelTests {
    private static let rounds = TestEnvironment.rounds(500, heavy: 10_000, patient: 100)
    private static let steps = 16

    private static let responseControls: [[String: Int?]] = [
        ["max-age": 5], ["max-age": 5], ["max-age": 9, "must-revalidate": nil], ["no-cache": nil, "max-age": 5],
        ["no-store": nil, "max-age": 5], ["max-age": 3, "stale-while-revalidate": 4],
        ["max-age": 3, "stale-if-error": 9],
        ["max-age": 0], [:], ["max-age": 5, "private": nil],
        ["max-age": 2, "stale-while-revalidate": 3, "stale-if-error": 5],
    ]

    private static let requestControls: [[String: Int?]] =
        Array(repeating: [:], count: 8) + [
            ["no-cache": nil], ["max-age": 2], ["max-age": 0], ["max-stale": 3], ["max-stale": nil], ["min-fresh": 2],
            ["no-store": nil], ["only-if-cached": nil], ["stale-if-error": 4],
        ]

    /// The server of one sequence. It follows the plans in order.
    private final class Server: Sendable {
        private struct State {
            var count = 0
            var versions: [String: Int] = [:]
            var conditions: [Bool] = []
        }

        private let plans: [CacheModel.Plan]
        private let state = Locked(State())

        init(_ plans: [CacheModel.Plan]) {
            self.plans = plans
        }

        var conditions: [Bool] { state.withLock { $0.conditions } }

        func reply(to request: APIRequest) -> CannedReply {
            let condition = request.headers["If-None-Match"]
            let (number, version) = state.withLock { state in
                state.count += 1
                state.conditions.append(condition != nil)
                let plan = plans[state.count - 1]
                if request.method == .put, !plan.fails, plan.status < 400 {
                    state.versions[request.path, default: 0] += 1
                }
                return (state.count, state.versions[request.path] ?? 0)
            }
            let plan = plans[number - 1]
            if plan.fails { return .failure(ServiceError(.connectionLost, "gone")) }
            let tag = "\"\(version)\""
            let isUnchanged = condition == tag && plan.status == 200
            var reply: CannedReply = isUnchanged ? .status(304) : .text("\(number)", status: plan.status)
            if isUnchanged || plan.hasTag { reply = reply.header("ETag", tag) }
            if !isUnchanged, let vary = plan.vary { reply = reply.header("Vary", vary) }
            if plan.age > 0 { reply = reply.header("Age", "\(plan.age)") }
            return plan.control.isEmpty ? reply : reply.header("Cache-Control", CacheModelTests.text(plan.control))
        }
    }

    private static func text(_ control: [String: Int?]) -> String {
        control.sorted { $0.key < $1.key }.map { name, value in value.map { "\(name)=\($0)" } ?? name }
            .joined(separator: ", ")
    }

    private static func plan(_ random: inout SplitMix) -> CacheModel.Plan {
        CacheModel.Plan(
            control: responseControls.randomElement(using: &random) ?? [:], hasTag: Bool.random(using: &random),
            vary: [nil, nil, "Foo", "Foo", "*"].randomElement(using: &random) ?? nil,
            age: [0, 0, 0, 2].randomElement(using: &random) ?? 0,
            status: [200, 200, 200, 200, 404, 503].randomElement(using: &random) ?? 200,
            fails: Int.random(in: 0..<10, using: &random) == 0)
    }

    private static func call(_ random: inout SplitMix) -> CacheModel.Call {
        CacheModel.Call(
            method: Int.random(in: 0..<8, using: &random) == 0 ? "PUT" : "GET",
            path: ["/a", "/b"].randomElement(using: &random) ?? "/a",
            foo: [nil, "1", "2"].randomElement(using: &random) ?? nil,
            control: requestControls.randomElement(using: &random) ?? [:])
    }

    private func outcome(
        of call: CacheModel.Call, _ session: any APISession, _ clock: ManualClock
    ) async throws -> CacheModel.Outcome? {
        var headers = call.control.isEmpty ? [:] : ["Cache-Control": Self.text(call.control)]
        headers["Foo"] = call.foo
        var request = try CacheScene.request(HTTPMethod(call.method), call.path, headers)
        request.options.time = clock
        guard let response = try? await session.send(request) else { return nil }
        let body = String(decoding: try await response.body.collect(), as: UTF8.self)
        let age = response.head.cacheAge.map { Int($0 / .seconds(1)) }
        return CacheModel.Outcome(body: Int(body) ?? -1, status: response.head.status, age: age)
    }

    @Test func `random requests have the responses of the model`() async throws {
        for seed in 0..<Self.rounds {
            var random = SplitMix(state: UInt64(seed))
            let plans = (0..<(2 * Self.steps)).map { _ in Self.plan(&random) }
            let (server, clock) = (Server(plans), ManualClock())
            let cache = CacheInterceptor(MemoryCacheStore())
            let session = ScriptedSession { server.reply(to: $0) }.intercepted(by: cache)
            var model = CacheModel(plans)
            var log: [String] = []
            for _ in 0..<Self.steps {
                let seconds = Int.random(in: 0...4, using: &random)
                clock.advance(by: .seconds(seconds))
                model.now += seconds
                let call = Self.call(&random)
                let (expected, found) = (model.perform(call), try await outcome(of: call, session, clock))
                if cache.refreshing > 0 { try await Soak.wait { cache.refreshing == 0 } }
                log.append("\(model.now) s: \(call.method) \(call.path) \(call.foo ?? "") \(Self.text(call.control))")
                guard expected == found, model.conditions == server.conditions else {
                    Issue.record("seed \(seed): expected \(expected as Any), found \(found as Any) after \(log)")
                    return
                }
            }
        }
    }
}
