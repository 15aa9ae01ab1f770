import Errand
import TestSupport
import Testing

/// Runs each session against each network fault in a separate process, because a fault may end the process. The process
/// also counts its descriptors and threads. The faults and sessions are in `Tests/wire-fuzz`.
@Suite(
    .timeLimit(.minutes(5)), .serialized,
    .enabled(if: Executable(product: "wire-fuzz") != nil, "wire-fuzz is not built"))
struct FaultMatrixTests {
    static let sessions = ["urlsession"] + ((try? Transport.curl.makeSession()) == nil ? [] : ["curl"])

    @Test(arguments: sessions)
    func `each fault has an allowed outcome, in time and without leaks`(session: String) async throws {
        let program = try #require(Executable(product: "wire-fuzz"))
        let ending = try await program.ending(["--matrix", session], environment: ["SWIFT_BACKTRACE": "enable=no"])
        print(ending.output)
        let wrong = ending.output.split(separator: "\n").filter { $0.contains("WRONG") }
        #expect(ending.signal == nil && ending.status == 0 && wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        #expect(ending.output.contains("\nno leak: "))
    }
}
