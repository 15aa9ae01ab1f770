import Errand
import ErrandLoopback
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Event streams of one account over connections that are dropped, with tokens that expire. `Tests/events.sh` is the
/// long form.
///
/// The sessions run one after the other. On Linux, `URLSession` closes a descriptor before libdispatch has removed its
/// event source. After thousands of dropped connections in a process, libdispatch then loses events or crashes
/// (swift-corelibs-libdispatch issues 833 and 949), more often if other connections close at the same time.
@Suite(.serialized, .timeLimit(.minutes(3))) struct EventDropTests {
    static let sessions = DownloadIntegrationTests.sessions
    private static let streamCount = 4

    @Test(arguments: sessions.indices)
    func `each event is delivered once, and each expiry causes one refresh`(index: Int) async throws {
        let isURLSession = Self.sessions[index].session is URLSession
        let drops = TestEnvironment.rounds(isURLSession ? 50 : 250, heavy: isURLSession ? 250 : 2_500, patient: 50)
        let server = EventDropServer(count: drops * 2, drops: drops, seed: UInt64(index) + 7)
        try await LoopbackServer.withServer {
            server.reply($0)
        } _: { loopback in
            let session = try await authorized(Self.sessions[index].session, at: loopback.url)
            try await withThrowingTaskGroup(of: [Int].self) { group in
                for number in 1...Self.streamCount {
                    group.addTask { try await numbers(loopback.url.appending(path: "s/\(number)"), session) }
                }
                for try await numbers in group { #expect(numbers == Array(1...server.count)) }
            }
            let figures = server.figures
            #expect(figures.drops == Self.streamCount * drops && figures.invalid == 0)
            #expect(figures.expiries > 0 && figures.refreshes == figures.expiries)
        }
    }

    /// Returns a session with the bearer tokens of the server.
    private func authorized(_ session: any APISession, at url: URL) async throws -> any APISession {
        func open(_ session: some APISession) -> OAuthClient {
            OAuthClient(id: "reader", tokenEndpoint: url.appending(path: "token"), session: session)
        }
        var settings = OAuthAuthorizer.Settings()
        // Tokens expire more often than once in a second.
        settings.pause = .zero
        let account = OAuthAuthorizer(open(session), settings: settings)
        try await account.signIn(EventDropServer.token)
        func intercepted(_ session: some APISession) -> any APISession {
            session.intercepted(by: AuthorizationInterceptor(account, at: url))
        }
        return intercepted(session)
    }

    /// Returns the numbers of the events of a stream, in the order of their delivery.
    private func numbers(_ url: URL, _ session: any APISession) async throws -> [Int] {
        func loader(_ session: some APISession) -> APILoader<EventAPI> {
            APILoader(EventAPI(url: url), session: session, random: FixedRandom(fraction: 0))
        }
        var options = EventOptions()
        options.backoff.base = .zero
        // Of thousands of random drops, more than 20 in succession can come before an event.
        options.failureLimit = 100
        var numbers: [Int] = []
        for try await note in loader(session).events(as: Note.self, options: options) { numbers.append(note.n) }
        return numbers
    }
}
