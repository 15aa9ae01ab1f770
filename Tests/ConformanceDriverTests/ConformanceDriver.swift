import Foundation
import TestSupport
import Testing

/// The driver under test.
enum ConformanceDriver {
    /// Sends requests, and returns the responses by their id.
    static func ask(_ lines: [[String: Any]], _ arguments: [String] = []) async throws -> [Int: [String: Any]] {
        let input = try lines.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        return try await ask(texts: input, arguments)
    }

    /// Sends lines as they are written, and returns the responses by their id.
    static func ask(texts: [String], _ arguments: [String] = []) async throws -> [Int: [String: Any]] {
        let driver = try #require(Executable(product: "conformance-driver"))
        let (output, status) = try await driver.run(arguments, input: texts.joined(separator: "\n") + "\n")
        #expect(status == 0)
        return try output.split(separator: "\n").reduce(into: [:]) { results, line in
            let result = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            results[try #require(result["id"] as? Int)] = result
        }
    }
}
