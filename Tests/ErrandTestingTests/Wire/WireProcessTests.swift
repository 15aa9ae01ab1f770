import Errand
import TestSupport
import Testing

/// Runs sessions that can end their process, each in a separate process.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Executable(product: "wire-fuzz") != nil, "the program is not built"))
struct WireProcessTests {
    private func run(_ arguments: String...) async throws -> Executable.Ending {
        try await #require(Executable(product: "wire-fuzz")).ending(
            arguments, environment: ["SWIFT_BACKTRACE": "enable=no"])
    }

    /// If this test fails, the platform has been fixed. Then update the session's documentation.
    @Test(.enabled(if: Platform.name == "Linux"))
    func `on Linux, a server can end the process of a URLSession`() async throws {
        let ending = try await run("--session", "urlsession", "--count", "400")
        #expect(ending.signal != nil, "status \(ending.status): \(ending.output)")
    }

    @Test func `an unavailable session and wrong usage have distinct exit statuses`() async throws {
        #expect(try await run("--session", "none").status == 69)
        #expect(try await run("--session").status == 64)
        #expect(try await run("--session", "urlsession", "--count", "x").status == 64)
    }

    @Test func `the program prints an exchange`() async throws {
        let ending = try await run("--show", "5", "--seed", "3")
        #expect(ending.status == 0 && ending.output.hasPrefix("seed 3, index 5 ("))
    }
}
