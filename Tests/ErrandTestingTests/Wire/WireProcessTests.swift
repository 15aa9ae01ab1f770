import Errand
import TestSupport
import Testing

/// Sessions that may end their process, each in one of its own.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Executable(product: "wire-fuzz") != nil, "the program is not built"))
struct WireProcessTests {
    private func run(_ arguments: String...) async throws -> Executable.Ending {
        try await #require(Executable(product: "wire-fuzz")).ending(
            arguments, environment: ["SWIFT_BACKTRACE": "enable=no"])
    }

    /// Should this fail, the platform has been repaired: then the session's documentation has to say so.
    @Test(.enabled(if: Platform.name == "Linux"))
    func `on Linux a server can end the process of a URLSession`() async throws {
        let ending = try await run("--session", "urlsession", "--count", "400")
        #expect(ending.signal != nil, "status \(ending.status): \(ending.output)")
    }

    @Test func `a session that is not here has a status of its own, and so has wrong usage`() async throws {
        #expect(try await run("--session", "none").status == 69)
        #expect(try await run("--session").status == 64)
        #expect(try await run("--session", "urlsession", "--count", "x").status == 64)
    }

    @Test func `an exchange can be shown`() async throws {
        let ending = try await run("--show", "5", "--seed", "3")
        #expect(ending.status == 0 && ending.output.hasPrefix("seed 3, index 5 ("))
    }
}
