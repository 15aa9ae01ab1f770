import Errand
import Foundation
import TestSupport
import Testing

@Suite struct RetryMachineTests {
    private typealias Outcome = RetryPolicy.Outcome
    private static let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var policy = RetryPolicy()
        var isRetryable = true
        var remaining: Duration?
        let outcomes: [RetryPolicy.Outcome]
        let decision: RetryMachine.Decision
        var testDescription: String { name }
    }

    private static func policy(_ change: (inout RetryPolicy) -> Void) -> RetryPolicy {
        var policy = RetryPolicy()
        change(&policy)
        return policy
    }

    private static func failure(_ code: ServiceError.Code) -> Outcome { .failure(ServiceError(code, "x")) }

    private static func busy(_ wait: String, date: String? = nil) -> Outcome {
        var headers: HeaderFields = ["Retry-After": wait]
        headers["Date"] = date
        return .status(503, headers)
    }

    static let rows: [Row] = [
        Row(name: "success", outcomes: [.status(200, [:])], decision: .success),
        Row(name: "not modified", outcomes: [.status(304, [:])], decision: .success),
        Row(name: "not found", outcomes: [.status(404, [:])], decision: .giveUp(.permanent)),
        Row(name: "not implemented", outcomes: [.status(501, [:])], decision: .giveUp(.permanent)),
        Row(
            name: "half of the first bound", outcomes: [.status(500, [:])],
            decision: .retry(after: .milliseconds(50), because: .status(500))),
        Row(
            name: "half of the second bound", outcomes: [.status(502, [:]), .status(504, [:])],
            decision: .retry(after: .milliseconds(100), because: .status(504))),
        Row(
            name: "the last attempt", outcomes: [.status(408, [:]), .status(429, [:]), .status(503, [:])],
            decision: .giveUp(.attempts)),
        Row(
            name: "no connection", outcomes: [failure(.connection)],
            decision: .retry(after: .milliseconds(50), because: .connection)),
        Row(
            name: "a lost connection is retried at once",
            outcomes: [failure(.connectionLost)], decision: .retry(after: .zero, because: .connectionLost)),
        Row(
            name: "a second lost connection is retried after a wait",
            outcomes: [failure(.connectionLost), failure(.connectionLost)],
            decision: .retry(after: .milliseconds(100), because: .connectionLost)),
        Row(
            name: "a timeout", outcomes: [failure(.timeout)],
            decision: .retry(after: .milliseconds(50), because: .timeout)),
        Row(name: "a certificate error", outcomes: [failure(.certificate)], decision: .giveUp(.permanent)),
        Row(name: "an invalid response", outcomes: [failure(.badResponse)], decision: .giveUp(.permanent)),
        Row(
            name: "a request that is not repeatable", isRetryable: false, outcomes: [.status(503, [:])],
            decision: .giveUp(.notRepeatable)),
        Row(
            name: "fewer attempts for one reason", policy: policy { $0.attemptsPerReason[.timeout] = 1 },
            outcomes: [failure(.timeout)], decision: .giveUp(.attempts)),
        Row(
            name: "other reasons keep their attempts",
            policy: policy {
                $0.attempts = 9
                $0.attemptsPerReason[.timeout] = 2
            }, outcomes: [failure(.timeout), .status(500, [:]), .status(500, [:])],
            decision: .retry(after: .milliseconds(200), because: .status(500))),
        Row(
            name: "Retry-After in seconds", outcomes: [busy("7")],
            decision: .retry(after: .seconds(7), because: .status(503))
        ),
        Row(
            name: "Retry-After date, by the server's clock",
            outcomes: [busy("Fri, 31 Dec 1999 23:59:59 GMT", date: "Fri, 31 Dec 1999 23:59:39 GMT")],
            decision: .retry(after: .seconds(20), because: .status(503))),
        Row(
            name: "Retry-After date, local clock", outcomes: [busy("Sunday, 06-Nov-94 08:49:40 GMT")],
            decision: .retry(after: .seconds(3), because: .status(503))),
        Row(
            name: "Retry-After date in the past", outcomes: [busy("Sun Nov  6 08:49:07 1994")],
            decision: .retry(after: .milliseconds(50), because: .status(503))),
        Row(
            name: "invalid Retry-After", outcomes: [busy("soon")],
            decision: .retry(after: .milliseconds(50), because: .status(503))),
        Row(
            name: "Retry-After over the limit", outcomes: [busy("61")], decision: .giveUp(.tooLong(.seconds(61)))),
        Row(
            name: "Retry-After out of range", outcomes: [busy("99999999999999999999")],
            decision: .giveUp(.tooLong(.seconds(86_400)))),
        Row(
            name: "Retry-After beyond the deadline", remaining: .seconds(5), outcomes: [busy("5")],
            decision: .giveUp(.tooLate(.seconds(5), left: .seconds(5)))),
        Row(
            name: "a deadline that has passed", remaining: .seconds(-1), outcomes: [failure(.timeout)],
            decision: .giveUp(.tooLate(.milliseconds(50), left: .seconds(-1)))),
        Row(
            name: "a custom wait", policy: policy { $0.decide = { _ in .after(.seconds(2)) } },
            outcomes: [.status(503, [:])], decision: .retry(after: .seconds(2), because: .status(503))),
        Row(
            name: "a custom decision",
            policy: policy { $0.decide = { $0.attempts == 2 ? .stop("enough") : .asProposed } },
            outcomes: [.status(503, [:]), .status(503, [:])], decision: .giveUp(.decided("enough"))),
        Row(
            name: "a custom wait has an upper bound",
            policy: policy { $0.decide = { _ in .after(.seconds(Int64.max)) } },
            outcomes: [.status(503, [:])], decision: .retry(after: .seconds(60), because: .status(503))),
        Row(
            name: "a custom wait beyond the deadline", policy: policy { $0.decide = { _ in .after(.seconds(9)) } },
            remaining: .seconds(5), outcomes: [.status(503, [:])],
            decision: .giveUp(.tooLate(.seconds(9), left: .seconds(5)))),
        Row(
            name: "at least one attempt", policy: policy { $0.attempts = .min }, outcomes: [.status(503, [:])],
            decision: .giveUp(.attempts)),
    ]

    @Test func `a custom decision receives the request`() throws {
        var policy = RetryPolicy()
        policy.decide = { $0.request?.path == "/slow" ? .stop("not this one") : .asProposed }
        for (path, stops) in [("/slow", true), ("/fast", false)] {
            var machine = RetryMachine(policy, isRetryable: true)
            var budget = RetryPolicy.Budget()
            let url = try #require(URL(string: "http://api.test\(path)"))
            let request = APIRequest(head: URLRequest(url: url), body: .none)
            let decision = machine.decide(
                after: .status(503, [:]), &budget, .init(draw: 0, date: Date(), request: request))
            #expect((decision == .giveUp(.decided("not this one"))) == stops)
        }
    }

    @Test(arguments: rows) func `a policy decides after each outcome`(row: Row) throws {
        var machine = RetryMachine(row.policy, isRetryable: row.isRetryable)
        var budget = RetryPolicy.Budget()
        let moment = RetryMachine.Moment(draw: 0.5, date: Self.now, remaining: row.remaining)
        let verdicts = row.outcomes.map { machine.decide(after: $0, &budget, moment) }
        #expect(verdicts.last == row.decision)
    }

    @Test func `failures spend the budget and successes refill it`() {
        var budget = RetryPolicy.Budget(capacity: 20, retryCost: 5, timeoutCost: 10, refund: 2)
        func attempt(_ outcomes: Outcome...) -> (RetryMachine.Decision?, Int) {
            var machine = RetryMachine(RetryPolicy(), isRetryable: true)
            var last: RetryMachine.Decision?
            for outcome in outcomes { last = machine.decide(after: outcome, &budget, .init(draw: 0)) }
            return (last, budget.tokens)
        }
        #expect(attempt(Self.failure(.timeout)) == (.retry(after: .zero, because: .timeout), 10))
        #expect(attempt(.status(503, [:]), .status(200, [:])) == (.success, 10), "a success refunds the cost")
        #expect(attempt(.status(503, [:])).1 == 5)
        #expect(attempt(Self.failure(.timeout)) == (.giveUp(.budget), 5), "a timeout costs more")
        #expect(attempt(.status(200, [:])) == (.success, 7))
        #expect(attempt(.status(404, [:])).1 == 7, "a permanent failure refunds nothing")
        for _ in 0..<100 { _ = attempt(.status(200, [:])) }
        #expect(budget.tokens == 20)
    }

    @Test(arguments: [
        (1, 0.0, Duration.zero), (1, 1, .milliseconds(100)), (2, 1, .milliseconds(200)), (9, 1, .seconds(20)),
        (10_000, 1, .seconds(20)), (0, 1, .milliseconds(100)), (1, 7, .milliseconds(100)), (1, -1, .zero),
    ])
    func `the wait grows up to its limit`(repetition: Int, draw: Double, wait: Duration) {
        #expect(RetryPolicy.Backoff().wait(before: repetition, draw: draw) == wait)
    }
}
