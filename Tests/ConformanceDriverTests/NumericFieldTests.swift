import Foundation
import TestSupport
import Testing

/// The numbers in the driver's requests. The driver checks each before it uses it.
@Suite(.timeLimit(.minutes(1))) struct NumericFieldTests {
    struct Field: Sendable, CustomTestStringConvertible {
        let name: String
        /// A request with `#` instead of the number.
        let request: String
        var isInteger = true
        var testDescription: String { name }

        static func policy(_ name: String, isInteger: Bool = false) -> Field {
            Field(
                name: name, request: ##""op":"retry-plan","policy":{"\##(name)":#},"outcomes":[{"status":503}]"##,
                isInteger: isInteger)
        }

        static func budget(_ name: String) -> Field {
            Field(
                name: name,
                request: ##""op":"retry-plan","policy":{"budget":{"\##(name)":#}},"outcomes":[{"status":503}]"##)
        }
    }

    static let fields: [Field] = [
        .policy("maxAttempts", isInteger: true), .policy("baseMs"), .policy("capMs"), .policy("factor"),
        .policy("jitter"),
        .budget("tokens"), .budget("retryCost"), .budget("timeoutCost"), .budget("refund"),
        Field(name: "status", request: ##""op":"retry-plan","outcomes":[{"status":#}]"##),
        Field(name: "max", request: ##""op":"paginate","url":"http://127.0.0.1:1/","max":#"##),
    ]

    static let numbers = [
        "1e16", "1e19", "9223372036854775807", "9223372036854775808", "170141183460469231731687303715884105728",
        "1e22", "1e300", "1.7976931348623157e308", "1e999", "-1e999", "-1", "-0.5", "-1e300", "-9223372036854775809",
        #""NaN""#, #""1""#, "true", "[]", "{}",
    ]

    @Test(arguments: fields) func `a number outside its range is an error that names the field`(field: Field)
        async throws
    {
        let numbers = Self.numbers + (field.isInteger ? ["1.5", "1e-3"] : [])
        let lines = numbers.enumerated().map { id, number in
            "{\"id\":\(id),\(field.request.replacing("#", with: number))}"
        }
        let responses = try await ConformanceDriver.ask(texts: lines)
        for (id, number) in numbers.enumerated() {
            let error = responses[id]?["error"] as? String
            #expect(error?.hasPrefix("configuration: invalid \(field.name) ") == true, "\(number): \(error ?? "none")")
        }
    }

    @Test(arguments: fields.dropLast()) func `a number within its range is accepted`(field: Field) async throws {
        let lines = ["0", "1", "-0", "0e1", "null"].enumerated().map { id, number in
            "{\"id\":\(id),\(field.request.replacing("#", with: number))}"
        }
        let responses = try await ConformanceDriver.ask(texts: lines)
        for id in lines.indices where field.name != "status" || id < 4 {
            #expect(responses[id]?["steps"] != nil, "\(lines[id]): \(responses[id] ?? [:])")
        }
    }

    @Test func `a number that is not JSON is an error`() async throws {
        let driver = try #require(Executable(product: "conformance-driver"))
        for number in ["NaN", "Infinity", "01", "1.", ".5", "+1", "0x10", "1e"] {
            let line = ##"{"id":1,"op":"retry-plan","policy":{"baseMs":\##(number)}}"##
            let (output, status) = try await driver.run([], input: line + "\n")
            #expect(status == 0 && output.contains(#""error":"input: not JSON"#), "\(number): \(output)")
        }
    }
}
