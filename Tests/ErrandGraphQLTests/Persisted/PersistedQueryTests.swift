import Errand
import ErrandGraphQL
import ErrandTesting
import TestSupport
import Testing

/// The requests that automatic persisted queries send.
@Suite(.timeLimit(.minutes(1))) struct PersistedQueryTests {
    struct Name: Decodable, Sendable, Equatable { let name: String }

    private let found = CannedReply.json(#"{"data":{"name":"Rick"}}"#)
    // The output of `printf '{ name }' | sha256sum`.
    private let hash = "30166fc3298853f22709fce1e4a00e98f1b6a3160eaaaf9cb3b7db6a16073b07"

    struct Refusal: Sendable, CustomTestStringConvertible {
        let error: String, status: Int, known: Bool
        var testDescription: String { "\(status) \(error)" }
    }

    static let refusals = [
        Refusal(error: #"{"message":"PersistedQueryNotFound"}"#, status: 200, known: true),
        Refusal(error: #"{"message":"?","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}"#, status: 400, known: true),
        Refusal(error: #"{"message":"PersistedQueryNotSupported"}"#, status: 200, known: false),
        Refusal(
            error: #"{"message":"?","extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}}"#, status: 400, known: false),
    ]

    @Test func `a document that the service knows is not sent`() async throws {
        let session = ScriptedSession([found])
        _ = try await load("{ name }", session)
        let sent = try bodies(session)
        #expect(sent == [["extensions": ["persistedQuery": ["version": 1, "sha256Hash": .string(hash)]]]])
    }

    @Test(arguments: refusals)
    func `a rejected hash costs one more round trip`(row: Refusal) async throws {
        let session = ScriptedSession([.json("{\"errors\":[\(row.error)]}", status: row.status), found])
        let response = try await load("{ name }", session)
        #expect(response.data == Name(name: "Rick"))
        let sent = try bodies(session)
        try #require(sent.count == 2)
        #expect(sent[0]["query"] == nil)
        #expect(sent[1]["query"] == "{ name }")
        #expect((sent[1]["extensions"] != nil) == row.known)
        try session.verify()
    }

    @Test(arguments: refusals)
    func `a second rejection is returned to the caller`(row: Refusal) async throws {
        let refusal = CannedReply.json("{\"errors\":[\(row.error)]}", status: row.status)
        let session = ScriptedSession([refusal, refusal])
        let response = try await load("{ name }", session)
        #expect(response.errors.count == 1)
        try session.verify()
    }

    @Test func `hashes are not sent again to a service without support`() async throws {
        let refusal = CannedReply.json(#"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#)
        let session = ScriptedSession([refusal, found, found, found])
        let interceptor = PersistedQueryInterceptor()
        for _ in 0..<2 { _ = try await load("{ name }", session, interceptor) }
        #expect(try bodies(session).map { $0["query"] == nil } == [true, false, false])
        _ = try await load("{ name }", session, interceptor, at: "https://other.test/graphql")
        #expect(try bodies(session).last?["query"] == nil)
    }

    @Test(arguments: [
        #"{"errors":[{"message":"no such field"}]}"#, #"{"data":{"name":"PersistedQueryNotFound"}}"#,
        #"{"data":{"name":"a"},"errors":[{"message":"PersistedQueryNotFound"}]}"#, "<html>", "",
        #"{"data":null,"errors":[{"message":"PersistedQueryNotFound","path":["name"]}]}"#,
    ])
    func `other responses are returned unchanged`(body: String) async throws {
        let session = ScriptedSession([.json(body)])
        _ = try? await load("{ name }", session)
        #expect(session.recorded.count == 1)
    }

    @Test func `a hashed GET request keeps its variables and omits the document`() async throws {
        let refusal = CannedReply.json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
        let session = ScriptedSession([refusal, found])
        _ = try await load("{ name }", session, method: .get, variables: ["a": "b c+d"], extensions: ["trace": "1&2"])
        let items = session.recorded.map(\.queryItems)
        #expect(items.map { $0.map(\.name) } == [["variables", "extensions"], ["query", "variables", "extensions"]])
        #expect(items.first?.first?.value == #"{"a":"b c+d"}"#)
        let extensions = #"{"trace":"1&2","persistedQuery":{"sha256Hash":"\#(hash)","version":1}}"#
        #expect(items.map { $0.last?.value } == [extensions, extensions])
    }

    @Test func `a hashed request keeps the digits of numbers and other extensions`() async throws {
        struct Big: Encodable, Sendable { let big = Decimal(string: "12345678901234567890.12345"), quote = "}],\"{" }
        let session = ScriptedSession([found])
        _ = try await load("{ name }", session, variables: ["in": Big()], extensions: ["a": [1, "}"]])
        let text = String(decoding: session.recorded.first?.body.data ?? Data(), as: UTF8.self)
        #expect(text.contains(#""big":12345678901234567890.12345"#))
        #expect(text.contains(#""extensions":{"a":[1,"}"],"persistedQuery":{"#))
        #expect(text.contains(#""quote":"}],\"{""#))
    }

    @Test func `other requests are sent unchanged`() async throws {
        let session = ScriptedSession(answering: { _ in .json("{}") })
        let intercepted = session.intercepted(by: PersistedQueryInterceptor())
        let url = try #require(URL(string: "https://a.test/?query=x"))
        var post = URLRequest(url: url)
        post.httpMethod = "POST"
        post.httpBody = Data(#"{"query":"x"}"#.utf8)
        var streamed = RequestOptions()
        streamed.delivery = .streamed
        var accepting = post
        accepting.setValue("application/graphql-response+json", forHTTPHeaderField: "Accept")
        var broken = accepting
        broken.httpBody = Data(#"{"query":"x""#.utf8)
        var own = accepting
        own.httpBody = Data(#"{"query":"x","extensions":{"persistedQuery":{}}}"#.utf8)
        let requests = [
            try APIRequest(URLRequest(url: url)), try APIRequest(post), try APIRequest(accepting, options: streamed),
            try APIRequest(broken), try APIRequest(own),
        ]
        for request in requests { _ = try await intercepted.send(request) }
        #expect(session.recorded.map(\.body) == requests.map(\.body))
        #expect(session.recorded.map(\.url) == requests.map(\.url))
        _ = try await intercepted.send(try APIRequest(accepting))
        #expect(session.recorded.last?.body != .data(Data(#"{"query":"x"}"#.utf8)))
    }

    @Test func `a cancelled call ends during either round trip`() async throws {
        let refusal = CannedReply.json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
        for replies in [[CannedReply.stall], [refusal, .stall]] {
            let session = ScriptedSession(replies)
            let call = Task { try await load("{ name }", session) }
            try await Soak.wait { session.recorded.count == replies.count }
            call.cancel()
            let error = await #expect(throws: ServiceError.self) { try await call.value }
            #expect(error?.code == .cancelled)
        }
    }

    @Test func `the trail records the reason for a second round trip`() async throws {
        let refusal = CannedReply.json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
        let session = ScriptedSession([refusal, found]).intercepted(by: PersistedQueryInterceptor())
        let url = try #require(URL(string: rickAndMorty))
        let request = GraphQLRequest<NoVariables, Name>(try QueryDocument("{ name }"), at: url)
        let loaded = try await APILoader(request, session: session).response(NoVariables())
        #expect("\(loaded.trail)".contains("hash not found"))
    }

    @Test func `both round trips use the clock of the loader`() async throws {
        let isPrompt = try await RealTime.isLess(than: .seconds(1)) {
            let refusal = CannedReply.json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
            let script = ScriptedSession([refusal.delayed(by: .seconds(20)), found.delayed(by: .seconds(20))])
            let url = try #require(URL(string: rickAndMorty))
            let request = GraphQLRequest<NoVariables, Name>(try QueryDocument("{ name }"), at: url)
            let clock = InstantClock()
            let loader = APILoader(request, session: script.intercepted(by: PersistedQueryInterceptor()), time: clock)
            _ = try await loader.load(NoVariables())
            #expect(clock.waits == [.seconds(20), .seconds(20)])
        }
        #expect(isPrompt, "expected the call to take less than a second of real time")
    }

    private func load(
        _ document: String, _ session: ScriptedSession,
        _ interceptor: PersistedQueryInterceptor = PersistedQueryInterceptor(),
        at text: String = rickAndMorty, method: HTTPMethod = .post, variables: GraphQLVariables? = nil,
        extensions: [String: GraphQLValue]? = nil
    ) async throws -> GraphQLResponse<Name> {
        let url = try #require(URL(string: text))
        var request = GraphQLRequest<GraphQLVariables?, Name>(try QueryDocument(document), at: url, method: method)
        request.extensions = extensions
        return try await APILoader(request, session: session.intercepted(by: interceptor)).load(variables)
    }

    private func bodies(_ session: ScriptedSession) throws -> [[String: GraphQLValue]] {
        try session.recorded.map { request in
            let body = try JSONDecoder().decode([String: GraphQLValue].self, from: request.body.data ?? Data())
            return body.filter { $0.key != "variables" }
        }
    }
}
