import Errand
import ErrandTesting

/// A session to test. Each element of ``all`` is fuzzed and has a column in the fault matrix.
struct Subject: Sendable {
    let name: String
    let make: @Sendable () -> any APISession
    /// The known limits of the session, by the name of the fault.
    var limits: [String: Limit] = [:]
    /// Whether a violation is a known flaw below the session, which the session cannot detect.
    var isKnownFlaw: @Sendable (WireExchange, String) -> Bool = { _, _ in false }

    /// A limit that replaces the allowed outcomes of a fault.
    enum Limit: Sendable {
        /// The platform does not allow a better outcome. The call ends with this outcome, for this reason.
        case ends(Outcome, because: String)
        /// Like ``ends(_:because:)``, but the call may also end with an allowed outcome, depending on how the bytes
        /// arrive.
        case mayEnd(Outcome, because: String)
        /// The fault would end the process, or keep it busy for a long time.
        case notRun(because: String)
    }

    static let all: [Subject] =
        [
            Subject(
                name: "urlsession", make: { URLSession(configuration: .ephemeral) },
                limits: Platform.name == "Linux" ? urlSessionOnLinux : [:])
        ]
        + [try? Transport.curl.makeSession()].compactMap { $0 }.map { _ in
            Subject(
                name: "curl", make: { (try? Transport.curl.makeSession()) ?? PlatformSession.platform },
                isKnownFlaw: isOfLibcurl)
        }

    /// Flaws of libcurl 7. It loses a response if the header section arrives in two parts directly after an interim
    /// response. It also drops a line that begins with NUL. The session detects such a line before libcurl reads it,
    /// unless libcurl reads immediately after it has sent the request.
    private static func isOfLibcurl(_ exchange: WireExchange, _ complaint: String) -> Bool {
        if complaint.contains(
            "a valid response was refused: bad-response: Received HTTP/0.9 when not allowed (libcurl 1)")
        {
            return true
        }
        return complaint.hasPrefix("expected an error (") && exchange.bytes.range(of: Data("\n\0".utf8)) != nil
    }
}
