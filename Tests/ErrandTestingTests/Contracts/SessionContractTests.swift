import Errand
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct SessionContractTests {
    /// Twice the default, because tests that compute for seconds can use all threads of the pool.
    private static let limit = Duration.seconds(60) * TestEnvironment.patience

    @Test func `a URLSession passes the contract`() async throws {
        try await SessionContract(limit: Self.limit) { URLSession(configuration: .ephemeral) }.verify()
    }

    #if os(Linux)
        @Test func `a CurlSession passes the contract`() async throws {
            try await SessionContract(limit: Self.limit) { CurlSession() }.verify()
        }

        @Test func `a CurlSession with cookies passes the contract`() async throws {
            var configuration = CurlSession.Configuration()
            configuration.cookies = CookieJar()
            try await SessionContract(limit: Self.limit) { [configuration] in CurlSession(configuration) }.verify()
        }
    #endif

    @Test func `the platform session passes the contract`() async throws {
        try await SessionContract(limit: Self.limit) { PlatformSession.platform }.verify()
    }

    @Test func `a ScriptedSession passes the contract`() async throws {
        try await SessionContract(limit: Self.limit) { peer in ScriptedSession(answering: peer) }.verify()
    }

    @Test func `a StubSession and its URLSession pass the contract`() async throws {
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

    @Test func `a session with interceptors passes the contract`() async throws {
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

    /// A session that breaks one promise, based on a session that keeps all of them.
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
            promise: "every status is returned as a response",
            complaint: "bad-response: no 4xx here"
        ) { request, inner in
            let response = try await inner.send(request)
            if response.head.status >= 400 { throw ServiceError(.badResponse, "no 4xx here") }
            return response
        },
        Flaw(
            promise: "a truncated body is an error, never a shorter body",
            complaint: "expected an error, found status 200 with 0 bytes"
        ) { request, inner in
            do {
                return try await inner.send(request)
            } catch let error as URLError where error.code == .networkConnectionLost && request.path.count > 1 {
                return try APIResponse(to: request)
            }
        },
        Flaw(promise: "a request ends when its task is cancelled", complaint: "still running after") {
            request, inner in
            // Only for requests that nothing else ends, so that the session breaks no other promise.
            guard request.options.deadline == nil, request.options.idleTimeout == .seconds(60), !Task.isCancelled else {
                return try await inner.send(request)
            }
            return try await Task { try await inner.send(request) }.value
        },
        Flaw(
            promise: "the limit of a buffered body is enforced",
            complaint: "expected an error, found status 200 with 1000 bytes"
        ) { request, inner in
            var request = request
            if case .buffered(999) = request.options.delivery { request.options.delivery = .buffered }
            return try await inner.send(request)
        },
        Flaw(promise: "redirects to another origin carry no secrets", complaint: "expected no Authorization header") {
            request, inner in
            var response = try await inner.send(request)
            if response.head.status == 307, request.options.redirects.mode == .follow {
                var next = request
                next.url = response.head.headers["Location"].flatMap { URL(string: $0) }
                response = try await inner.send(next)
            }
            return response
        },
        Flaw(promise: "each request gets its own response", complaint: "expected 24 requests") { request, inner in
            if request.path == "/n" || request.path.hasPrefix("/n/") { _ = try await inner.send(request) }
            return try await inner.send(request)
        },
        Flaw(
            promise: "a request ends by its deadline", complaint: "expected timeout, found cancelled"
        ) { request, inner in
            do {
                return try await inner.send(request)
            } catch  where request.options.deadline != nil {
                throw CancellationError()
            }
        },
    ]

    @Test(arguments: flaws + streamFlaws)
    func `a broken session is reported with the broken promise`(row: Flaw) async throws {
        func contract(_ limit: Duration) -> SessionContract {
            SessionContract(limit: limit) { peer in
                BrokenSession(inner: ScriptedSession(answering: peer), flaw: row.send)
            }
        }
        // A short limit if the flaw takes the complete limit. The other promises use the default limit, so that a busy
        // machine does not break them.
        let isWaitedOut = row.complaint.hasPrefix("still running after")
        let error = await #expect(throws: VerificationError.self) {
            try await contract(isWaitedOut ? .seconds(5) : Self.limit).verify { $0 == row.promise }
        }
        let problem = try #require(error?.problems.first)
        #expect(SessionContract.promises.contains(row.promise))
        #expect(error?.problems.count == 1 && problem.hasPrefix("broken promise  \(row.promise)\n  "), "\(problem)")
        #expect(problem.contains(row.complaint), "\(problem)")
        await #expect(throws: Never.self) { try await contract(Self.limit).verify { $0 != row.promise } }
    }

    @Test(arguments: [
        "a request ends by its deadline", "a request ends by its idle timeout",
        "a request ends when its task is cancelled",
        "reading a streamed body ends by the request's deadline", "reading a streamed body ends by the idle timeout",
    ])
    func `an end that is late twice breaks the promise`(promise: String) async throws {
        func contract() -> SessionContract {
            var contract = SessionContract { peer in ScriptedSession(answering: peer) }
            contract.promptness = .zero
            return contract
        }
        let error = await #expect(throws: VerificationError.self) { try await contract().verify { $0 == promise } }
        let problem = try #require(error?.problems.first)
        #expect(problem.contains("expected to end within 0.0 seconds, ended after"), "\(problem)")
        #expect(problem.contains(" and "), "\(problem)")
    }
}
