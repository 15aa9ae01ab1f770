import Foundation
import TestSupport
import Testing

/// The program under test.
enum ConformanceDriver {
    /// Sends lines, and gives the answers by their id.
    static func ask(_ lines: [[String: Any]], _ arguments: [String] = []) async throws -> [Int: [String: Any]] {
        let driver = try #require(Executable(product: "conformance-driver"))
        let input = try lines.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        let (output, status) = try await driver.run(arguments, input: input.joined(separator: "\n") + "\n")
        #expect(status == 0)
        return try output.split(separator: "\n").reduce(into: [:]) { answers, line in
            let answer = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            answers[try #require(answer["id"] as? Int)] = answer
        }
    }
}
