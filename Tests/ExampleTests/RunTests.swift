import Errand
import ErrandLoopback
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing
import examples

/// Tests of the output of each example, with its local server.
@Suite(.timeLimit(.minutes(1))) struct RunTests {
    private static let lines: [Example: [String]] = [
        .bankSearch: [
            "10011001  N26 Bank Berlin, Berlin, NTSBDEB1XXX", "10050000  Berliner Sparkasse, Berlin, no BIC",
            "12030000  Deutsche Kreditbank Berlin, unknown city, BYLADEM1001",
            #"refused(["Type what to look for"])"#,
        ],
        .customerApp: [
            "a guest has left feedback", "Eva Novak, 2 offers, after one refresh of the token", "the avatar is now 7",
            "suggestions: Berlin, Bern",
        ],
        .gallery: [
            "p0  A lake at dawn", "p1  Two foxes", "p2  no description", "p3  The old bridge",
            "page 0: the server responded with status 422",
        ],
        .characters: [
            "the query matches the schema", "3 characters on the first page",
            "2  Morty Smith, Alive, since December 2, 2013", "14  Alien Morty, unknown, since December 2, 2013",
            "18  Antenna Morty, Alive, since December 2, 2013", "43  Big Morty, Dead, since December 2, 2013",
            "118  Evil Morty, Alive, since December 2, 2013", "6 humans on all pages",
        ],
        .lottery: [
            "Name or password is wrong", "Welcome, Eva",
            "draw 2026047: [4, 8, 15, 16, 23], extra number not drawn, prizes not known yet",
        ],
    ]

    @Test(arguments: Example.allCases) func `each example prints its expected lines`(example: Example) async throws {
        let printed = Locked<[String]>([])
        try await example.run { line in printed.withLock { $0.append(line) } }
        let lines = printed.withLock { $0 }
        let expected = try #require(Self.lines[example])
        #expect(Array(lines.prefix(expected.count)) == expected)
        #expect(lines.count - expected.count == (example == .customerApp ? 1 : 0))
    }

    /// Set `ERRAND_ARCHIVES` to a folder to keep the recordings.
    @Test(arguments: Example.allCases) func `a recording of each example replays to the same lines`(example: Example)
        async throws
    {
        let recorded = Locked<[String]>([])
        let replayed = Locked<[String]>([])
        let url = Locked<URL?>(nil)
        let recording = RecordingSession(PlatformSession.platform)
        try await LoopbackServer.withServer(example.server) { server in
            url.withLock { $0 = server.url }
            try await example.run(at: server.url, over: recording.intercepted(by: Together())) { line in
                recorded.withLock { $0.append(line) }
            }
        }
        let data = recording.archive.data
        if let folder = ProcessInfo.processInfo.environment["ERRAND_ARCHIVES"] {
            try data.write(to: URL(filePath: folder).appending(path: "\(example.rawValue).har"))
        }
        let replay = ReplaySession(try HTTPArchive(data: data))
        let address = try #require(url.withLock { $0 })
        try await example.run(at: address, over: replay.intercepted(by: Together())) { line in
            replayed.withLock { $0.append(line) }
        }
        #expect(recorded.withLock { $0 } == replayed.withLock { $0 })
        try replay.verify()
        #expect(!recording.archive.entries.isEmpty)
    }
}

/// Sends the first requests for the profile and the offers at the same time. Otherwise the second one could have a
/// refreshed token, which a recording without secrets does not distinguish from the first token.
private final class Together: Interceptor {
    private let arrived = Locked<Set<String>>([])
    private let gate = Gate()

    func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let path = request.url?.path() ?? ""
        if path == "/customer/profile" || path == "/offers" {
            let isLast = arrived.withLock { arrived -> Bool in
                arrived.insert(path)
                return arrived.count == 2
            }
            if isLast { gate.open() } else { await gate.wait() }
        }
        return try await next.send(request)
    }
}
