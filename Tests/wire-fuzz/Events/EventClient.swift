import Errand
import ErrandSupport
import TestSupport

/// Receives the event streams of `Tests/event-server.py`, which drops connections and expires tokens.
///
/// All streams are received at the same time, with the token of one account. Prints figures and the differences from the
/// server's figures.
final class EventClient: Sendable {
    private let session: Subject
    private let server: URL
    private let streamCount: Int
    /// The number of events of each stream.
    private let eventCount: Int
    private let total = Locked(Total())

    /// The figures of all streams.
    private struct Total {
        var received = 0
        /// The resident memory in bytes when a tenth of all events was received.
        var tenth = 0
        var tally = EventTally()
    }

    /// Parses the arguments `--events urlsession|curl URL STREAMS EVENTS`. Returns `nil` for others.
    init?(_ arguments: [String]) {
        guard arguments.count == 5, arguments[0] == "--events", let server = URL(string: arguments[2]),
            let session = Subject.all.first(where: { $0.name == arguments[1] }),
            let streamCount = Int(arguments[3]), let eventCount = Int(arguments[4])
        else { return nil }
        (self.session, self.server, self.streamCount, self.eventCount) = (session, server, streamCount, eventCount)
    }

    /// The maximum growth of the resident memory during the last nine tenths: 16 MB.
    private static let allowedGrowth = 16 << 20

    /// Returns the exit status: 0 if each event was received once, each expiry caused one refresh and memory did not grow.
    func run() async -> Int32 {
        do {
            let client = OAuthClient(
                id: "reader", tokenEndpoint: server.appending(path: "token"), session: session.make())
            var settings = OAuthAuthorizer.Settings()
            // Tokens expire more often than once in a second.
            settings.pause = .zero
            let account = OAuthAuthorizer(client, settings: settings)
            try await account.signIn(OAuthToken(access: Secret("t1"), refresh: Secret("r1")))
            let interceptor = AuthorizationInterceptor(account, at: server)
            func authorized(_ session: some APISession) -> any APISession { session.intercepted(by: interceptor) }
            let session = authorized(session.make())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...max(1, streamCount) {
                    group.addTask { try await self.receive(number, over: session) }
                }
                try await group.waitForAll()
            }
            return try await report()
        } catch {
            print(error)
            return 1
        }
    }

    private func receive(_ number: Int, over session: any APISession) async throws {
        func loader(_ session: some APISession) -> APILoader<Call> {
            APILoader(Call(url: server.appending(path: "s/\(number)")), session: session)
        }
        var options = EventOptions()
        options.backoff = RetryPolicy.Backoff(base: .zero, cap: .zero)
        var tally = EventTally()
        for try await event in loader(session).events(options: options) {
            tally.add(event)
            total.withLock { total in
                total.received += 1
                if total.received == streamCount * eventCount / 10 { total.tenth = ResidentMemory.now }
            }
        }
        tally.finish(at: eventCount)
        total.withLock { [tally] in $0.tally.add(tally) }
    }

    private func report() async throws -> Int32 {
        let figures = try await APILoader(Call(url: server.appending(path: "figures")), session: session.make()).load()
        let (tally, tenth, now) = total.withLock { ($0.tally, $0.tenth, ResidentMemory.now) }
        print(
            """
            \(session.name): \(tally.count) events in \(streamCount) streams, \(tally.duplicates) duplicates, \
            \(tally.gaps) gaps, \(tally.wrong) with other data
              \(figures.drops) connections dropped in events, \(figures.header_drops) in a header section
              \(figures.expiries) expiries, \(figures.refreshes) refreshes, \(figures.refused) responses with 401
              resident memory: \(tenth >> 10) kB at 10 %, \(now >> 10) kB at 100 %
            """)
        let isComplete = tally.count == streamCount * eventCount && tally.flaws == 0 && figures.drops_left == 0
        let isRefreshed = figures.refreshes == figures.expiries && figures.invalid == 0
        return isComplete && isRefreshed && now - tenth < Self.allowedGrowth ? 0 : 1
    }

    /// The figures of the server.
    private struct Figures: Decodable, Sendable {
        let drops: Int
        /// The number of drops that were planned, but did not occur.
        let drops_left: Int
        let header_drops: Int
        let expiries: Int
        let refreshes: Int
        let refused: Int
        /// The number of refreshes with a refresh token that is not valid.
        let invalid: Int
    }

    private struct Call: APIHandler {
        let url: URL

        func makeRequest(from input: Void) -> URLRequest { URLRequest(url: url) }

        func parseResponse(data: Data, head: ResponseHead) throws -> Figures {
            try JSONDecoder.errand.decode(Figures.self, from: data)
        }
    }
}
