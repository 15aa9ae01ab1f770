import Errand
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct SessionContractTests {
    /// Twice the default, because tests that compute for seconds may use all threads of the pool.
    private static let limit = Duration.seconds(60) * TestEnvironment.patience

    @Test func `the adapter of a URLSession keeps it`() async throws {
        try await SessionContract(limit: Self.limit) { URLSession(configuration: .ephemeral) }.verify()
    }

    #if os(Linux)
        @Test func `a session over libcurl keeps it`() async throws {
            try await SessionContract(limit: Self.limit) { CurlSession() }.verify()
        }

        @Test func `a session over libcurl that keeps cookies keeps it`() async throws {
            var configuration = CurlSession.Configuration()
            configuration.cookies = CookieJar()
            try await SessionContract(limit: Self.limit) { [configuration] in CurlSession(configuration) }.verify()
        }
    #endif

    @Test func `the platform's session keeps it`() async throws {
        try await SessionContract(limit: Self.limit) { PlatformSession.platform }.verify()
    }

    @Test func `a scripted session keeps it`() async throws {
        try await SessionContract(limit: Self.limit) { peer in ScriptedSession(answering: peer) }.verify()
    }

    @Test func `a stub keeps it, and its URLSession`() async throws {
        // A stub responds only while it is retained.
        let stubs = Locked<[StubSession]>([])
        let contract: (@escaping @Sendable (StubSession) -> any APISession) -> SessionContract = { session in
            SessionContract(limit: Self.limit) { peer in
                let stub = StubSession()
                stub.on(.any, answering: peer)
                stubs.withLock { $0.append(stub) }
                return session(stub)
            }
        }
        for session in [{ $0 }, { $0.urlSession }] as [@Sendable (StubSession) -> any APISession] {
            try await contract(session).verify()
            #expect(stubs.withLock { $0.count } == SessionContract.promises.count)
            stubs.withLock { $0 = [] }
        }
    }

    @Test func `a session inside interceptors keeps it`() async throws {
        struct Stamp: Interceptor {
            func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
                var request = request
                request.head.setValue("7", forHTTPHeaderField: "X-Build")
                return try await next.send(request)
            }
        }
        try await SessionContract(limit: Self.limit) { peer in ScriptedSession(answering: peer).intercepted(by: Stamp())
        }.verify()
    }

    /// A session that breaks one promise, around one that keeps them all.
    struct BrokenSession: APISession, CustomTestStringConvertible {
        let inner: any APISession
        let flaw: @Sendable (APIRequest, any APISession) async throws -> APIResponse
        var testDescription: String { "a broken session" }

        func send(_ request: APIRequest) async throws -> APIResponse { try await flaw(request, inner) }
    }

    struct Flaw: Sendable, CustomTestStringConvertible {
        let promise: String
        let complaint: String
        let send: @Sendable (APIRequest, any APISession) async throws -> APIResponse
        var testDescription: String { promise }
    }

    static let flaws: [Flaw] = [
        Flaw(
            promise: "every status is an answer",
            complaint: "bad-response: no 4xx here"
        ) { request, inner in
            let response = try await inner.send(request)
            if response.head.status >= 400 { throw ServiceError(.badResponse, "no 4xx here") }
            return response
        },
        Flaw(
            promise: "a body that was cut off is an error, never a shorter body",
            complaint: "it was answered with status 200 and 0 bytes, not with an error"
        ) { request, inner in
            do {
                return try await inner.send(request)
            } catch let error as URLError where error.code == .networkConnectionLost && request.path.count > 1 {
                return try APIResponse(to: request)
            }
        },
        Flaw(promise: "a call ends when its task is cancelled", complaint: "it had not ended after") {
            request, inner in
            // Only where nothing else ends the call, so that this is the one promise it breaks.
            guard request.options.deadline == nil, request.options.idleTimeout == .seconds(60), !Task.isCancelled else {
                return try await inner.send(request)
            }
            return try await Task { try await inner.send(request) }.value
        },
        Flaw(
            promise: "the cap on a buffered body holds",
            complaint: "it was answered with status 200 and 1000 bytes, not with an error"
        ) { request, inner in
            var request = request
            if case .buffered(999) = request.options.delivery { request.options.delivery = .buffered }
            return try await inner.send(request)
        },
        Flaw(promise: "no secret goes to another origin", complaint: "a redirect took Authorization along") {
            request, inner in
            var response = try await inner.send(request)
            if response.head.status == 307, request.options.redirects.mode == .follow {
                var next = request
                next.url = response.head.fields["Location"].flatMap { URL(string: $0) }
                response = try await inner.send(next)
            }
            return response
        },
        Flaw(promise: "an answer is that of its own request", complaint: "of 24 requests") { request, inner in
            if request.path == "/n" || request.path.hasPrefix("/n/") { _ = try await inner.send(request) }
            return try await inner.send(request)
        },
        Flaw(
            promise: "a call ends by its deadline", complaint: "it ended as cancelled"
        ) { request, inner in
            do {
                return try await inner.send(request)
            } catch  where request.options.deadline != nil {
                throw CancellationError()
            }
        },
    ]

    @Test(arguments: flaws + streamFlaws)
    func `a broken session is rejected, and the promise named`(row: Flaw) async throws {
        func contract(_ limit: Duration) -> SessionContract {
            SessionContract(limit: limit) { peer in
                BrokenSession(inner: ScriptedSession(answering: peer), flaw: row.send)
            }
        }
        // Short where the flaw waits it out; the other promises are judged by the bounds that users have, as a busy
        // machine breaks none.
        let isWaitedOut = row.complaint.hasPrefix("it had not ended after")
        let error = await #expect(throws: VerificationError.self) {
            try await contract(isWaitedOut ? .seconds(5) : Self.limit).verify { $0 == row.promise }
        }
        let problem = try #require(error?.problems.first)
        #expect(SessionContract.promises.contains(row.promise))
        #expect(error?.problems.count == 1 && problem.hasPrefix("broken promise  \(row.promise)\n  "), "\(problem)")
        #expect(problem.contains(row.complaint), "\(problem)")
        await #expect(throws: Never.self) { try await contract(Self.limit).verify { $0 != row.promise } }
    }
}
