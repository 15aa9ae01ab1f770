import Foundation
import TestSupport
import Testing

/// The driver's `retry-plan` operation, with the published cases of a standard retry mode.
@Suite(.timeLimit(.minutes(1)), .enabled(if: TestEnvironment.vectors != nil, "ERRAND_VECTORS is not set"))
struct RetryPlanTests {
    private struct Case: Decodable {
        struct Given: Decodable {
            let max_attempts: Int
            let initial_retry_tokens: Int
            let exponential_base: Double
            let exponential_power: Double
            let max_backoff_time: Double
        }

        struct Step: Decodable {
            struct Response: Decodable { let status_code: Int }
            struct Expected: Decodable, Equatable {
                let outcome: String
                let retry_quota: Int
                let delay: Double?
            }

            let response: Response
            let expected: Expected
        }

        let name: String
        let given: Given
        let responses: [Step]
    }

    private static let outcomes = [
        "retry": "retry_request", "success": "success", "max-attempts": "max_attempts_exceeded",
        "budget": "retry_quota_exceeded",
    ]

    @Test func `all six cases of the standard retry mode pass`() async throws {
        let file = try #require(TestEnvironment.vectors).appending(path: "retry/standard-2023.json")
        let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
        #expect(cases.count == 6)
        let lines: [[String: Any]] = cases.enumerated().map { id, test in
            [
                "id": id, "op": "retry-plan", "method": "GET", "idempotent": true,
                "policy": [
                    "maxAttempts": test.given.max_attempts, "baseMs": test.given.exponential_base * 1_000,
                    "capMs": test.given.max_backoff_time * 1_000, "factor": test.given.exponential_power, "jitter": 1,
                    "budget": [
                        "tokens": test.given.initial_retry_tokens, "retryCost": 5, "timeoutCost": 10, "refund": 1,
                    ],
                ] as [String: Any],
                "outcomes": test.responses.map { ["status": $0.response.status_code] },
            ]
        }
        let results = try await ConformanceDriver.ask(lines)
        for (id, test) in cases.enumerated() {
            let steps = try #require(results[id]?["steps"] as? [[String: Any]])
            let seen = steps.map { step in
                Case.Step.Expected(
                    outcome: Self.outcomes[step["outcome"] as? String ?? ""] ?? "",
                    retry_quota: step["budgetLeft"] as? Int ?? -1,
                    delay: (step["delayMs"] as? Double).map { $0 / 1_000 })
            }
            #expect(seen == test.responses.map(\.expected), "\(test.name)")
        }
    }
}
