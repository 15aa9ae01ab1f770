import Errand
import ErrandTesting

/// A session on trial: one line here, and it is fuzzed and has its column of the fault matrix.
struct Subject: Sendable {
    let name: String
    let make: @Sendable () -> any APISession
    /// What the session can't do as it should, by the fault's name.
    var limits: [String: Limit] = [:]
    /// Whether what the fuzz complains of is a flaw below the session that it can't see.
    var isKnownFlaw: @Sendable (WireExchange, String) -> Bool = { _, _ in false }

    /// A cell that is not judged as the others are.
    enum Limit: Sendable {
        /// The platform allows no better: this is what it ends with, and why.
        case ends(Outcome, because: String)
        /// The same, where it depends on how the bytes arrive whether it ends so or as it should.
        case mayEnd(Outcome, because: String)
        /// It would take the process with it, or keep it busy for long.
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

    /// Flaws of libcurl 7: it loses an answer whose head comes in two parts right behind an interim one; and it forgets a
    /// line that begins with NUL, which is seen before it reads unless it reads as soon as it has sent the request.
    private static func isOfLibcurl(_ exchange: WireExchange, _ complaint: String) -> Bool {
        if complaint.contains(
            "a whole answer was refused: bad-response: Received HTTP/0.9 when not allowed (libcurl 1)")
        {
            return true
        }
        return complaint.hasPrefix("it was accepted") && exchange.bytes.range(of: Data("\n\0".utf8)) != nil
    }
}
