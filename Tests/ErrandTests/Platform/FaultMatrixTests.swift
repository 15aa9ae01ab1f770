import Errand
import TestSupport
import Testing

/// Each session against each fault of the wire, in a process of its own: it may end it, and its descriptors and threads
/// can be counted there. The rows and the sessions are in `Tests/wire-fuzz`.
@Suite(
    .timeLimit(.minutes(5)), .serialized,
    .enabled(if: Executable(product: "wire-fuzz") != nil, "the program is not built"))
struct FaultMatrixTests {
    static let sessions = ["urlsession"] + ((try? Transport.curl.makeSession()) == nil ? [] : ["curl"])

    @Test(arguments: sessions)
    func `each fault ends as it should, in time, and nothing leaks`(session: String) async throws {
        let program = try #require(Executable(product: "wire-fuzz"))
        let ending = try await program.ending(["--matrix", session], environment: ["SWIFT_BACKTRACE": "enable=no"])
        print(ending.output)
        let wrong = ending.output.split(separator: "\n").filter { $0.contains("WRONG") }
        #expect(ending.signal == nil && ending.status == 0 && wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        #expect(ending.output.contains("\nno leak: "))
    }
}
