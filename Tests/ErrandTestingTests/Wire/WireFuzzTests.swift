import Errand
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

/// Runs the fuzzer with correct and with broken sessions.
@Suite(.timeLimit(.minutes(5))) struct WireFuzzTests {
    /// A session that returns the mutator's responses directly. They are correct unless its flaw changes them.
    struct Double: APISession {
        typealias Flaw = @Sendable (WireExchange, APIRequest) async throws -> WireExpectation.Response?

        let mutator = WireMutator(seed: 7)
        var flaw: Flaw = { _, _ in nil }
        var headers: HeaderFields = [:]

        func send(_ request: APIRequest) async throws -> APIResponse {
            let exchange = mutator.exchange(Int(request.url?.lastPathComponent ?? "") ?? 0)
            let other = try await flaw(exchange, request)
            guard let response = other ?? exchange.expectation.responses.last, let url = request.url else {
                throw ServiceError(.badResponse, exchange.expectation.flaw ?? "")
            }
            return APIResponse(
                head: ResponseHead(status: response.status, headers: headers, url: url),
                body: ResponseBody(response.body))
        }
    }

    private func plan(_ count: Int = 100) -> WireFuzz { WireFuzz(seed: 7, count: count) }

    @Test func `a correct session has no violations if it is lenient or strict`() async throws {
        let lenient = try await plan().run(Double())
        #expect(lenient.violations.isEmpty && lenient.count == 100, "\(lenient)")
        let strict = try await plan().run(
            Double { exchange, _ in
                if exchange.expectation.mustSucceed { return nil }
                throw ServiceError(.badResponse, "odd")
            })
        #expect(strict.violations.isEmpty && strict.refused > lenient.refused, "\(strict)")
        #expect(lenient.accepted + lenient.refused == 100)
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        let complaint: String
        let session: Double
        var testDescription: String { complaint }
    }

    static let broken: [Broken] = [
        Broken(
            complaint: "a valid response was refused",
            session: Double { exchange, _ in
                if exchange.expectation.mustSucceed, exchange.index.isMultiple(of: 2) { throw URLError(.unknown) }
                return nil
            }),
        Broken(
            complaint: "expected an error (",
            session: Double { exchange, _ in exchange.expectation.flaw == nil ? nil : .init(status: 200, body: Data()) }
        ),
        Broken(
            complaint: "response headers:",
            session: Double { exchange, _ in
                guard let response = exchange.expectation.responses.first, response.body.count > 9 else { return nil }
                return .init(status: response.status, body: response.body.dropLast())
            }),
        Broken(
            complaint: "response headers:",
            session: Double { exchange, _ in
                WireMutator(seed: 7).exchange(exchange.index + 1).expectation.responses.first
            }),
        Broken(
            complaint: "response headers:",
            session: Double { exchange, _ in
                exchange.expectation.responses.first.map { .init(status: 299, body: $0.body) }
            }),
        Broken(
            complaint: "found a timeout",
            session: Double { exchange, _ in
                if exchange.expectation.mustSucceed { return nil }
                throw URLError(.timedOut)
            }),
        Broken(
            complaint: "expected an error other than cancelled",
            session: Double { exchange, _ in
                if exchange.expectation.mustSucceed { return nil }
                throw CancellationError()
            }),
        Broken(complaint: "found a line break or NUL", session: Double(headers: ["X-A": "1\r\nX-Forged: 2"])),
    ]

    @Test(arguments: broken)
    func `a broken session has violations`(row: Broken) async throws {
        let report = try await plan(60).run(row.session)
        #expect(report.violations.count >= 3, "\(report)")
        #expect(report.violations.contains { $0.reason.contains(row.complaint) }, "\(report)")
        #expect(report.violations.allSatisfy { $0.exchange.hasPrefix("seed 7, index \($0.index) ") })
    }

    @Test func `a hanging request is a violation and does not block the run`() async throws {
        var plan = plan(40)
        // Other requests must end within three times this deadline, even on a busy machine.
        plan.deadline = .seconds(1) * TestEnvironment.patience
        let report = try await plan.run(
            Double { exchange, _ in
                if exchange.index.isMultiple(of: 7) { await waitForever() }
                return nil
            })
        #expect(report.hangs == 6 && report.violations.count == 6, "\(report)")
        #expect(report.count == 40)
    }

    @Test func `a failure that does not recur is not a violation`() async throws {
        let seen = Counter()
        let report = try await plan(60).run(
            Double { exchange, _ in
                if seen.count(exchange.index) == 1 { throw URLError(.timedOut) }
                return nil
            })
        #expect(report.violations.isEmpty, "\(report)")
    }

    static let sessions: [(name: String, make: @Sendable () -> any APISession)] = [
        ("reference", { ReferenceClient() })
    ]

    @Test(arguments: sessions.indices)
    func `a session returns only correct bodies over sockets`(index: Int) async throws {
        let count = TestEnvironment.rounds(150, heavy: 20_000, patient: 100)
        let report = try await WireFuzz(seed: 11, count: count).run(Self.sessions[index].make())
        #expect(report.violations.isEmpty, "\(Self.sessions[index].name): \(report)")
        #expect(report.count == count)
    }

    private final class Counter: Sendable {
        private let counts = Locked<[Int: Int]>([:])

        func count(_ index: Int) -> Int {
            counts.withLock { counts in
                counts[index, default: 0] += 1
                return counts[index] ?? 0
            }
        }
    }
}

/// Never returns, even after cancellation.
private func waitForever() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}
