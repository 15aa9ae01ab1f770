import Errand
import ErrandGraphQL
import ErrandLoopback
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct GraphQLRecipeTests {
    @Test func `a GraphQL query returns its data or throws its errors`() async throws {
        let url = try #require(URL(string: "https://heroes.example/graphql"))
        let session = ScriptedSession([
            .json(#"{"data":{"hero":{"name":"Leia","homeworld":"Alderaan"}}}"#),
            .json(#"{"data":{"hero":{"name":"Leia"}},"errors":[{"message":"no planet","path":["hero","homeworld"]}]}"#),
        ])
        #expect(try await hero("5", at: url, over: session).homeworld == "Alderaan")
        let error = await #expect(throws: ServiceError.self) { try await hero("5", at: url, over: session) }
        #expect(error?.code == .graphQL && error?.graphQLErrors.first?.path == ["hero", "homeworld"])
    }

    @Test func `a mutation has three outcomes`() async throws {
        let url = try #require(URL(string: "https://heroes.example/graphql"))
        let session = ScriptedSession([
            .json(#"{"data":{"rename":{"name":"Ben"}}}"#),
            .json(#"{"data":{"rename":{"name":"Ben"}},"errors":[{"message":"m","path":["rename","homeworld"]}]}"#),
            .json(#"{"errors":[{"message":"m","extensions":{"code":"FORBIDDEN"}}]}"#, status: 403),
        ])
        var ends: [String] = []
        for _ in 1...3 { ends.append(try await rename("Obi-Wan", to: "Ben", at: url, over: session)) }
        #expect(ends == ["Ben", "Ben (errors: 1)", #"refused: ["FORBIDDEN"]"#])
        let body = String(decoding: session.recorded.first?.body.data ?? Data(), as: UTF8.self)
        #expect(body.hasSuffix(#""variables":{"input":{"hero":"Obi-Wan","name":"Ben"}}}"#))
    }

    @Test func `the comments of a GraphQL subscription arrive until it is complete`() async throws {
        let url = try #require(URL(string: "https://blog.example/graphql"))
        let updates = ["a", "b"].map { #"event: next\#ndata: {"data":{"commentAdded":{"text":"\#($0)"}}}\#n\#n"# }
        let stream = updates.joined() + "event: complete\ndata:\n\n"
        let session = ScriptedSession([.data(Data(stream.utf8), type: "text/event-stream")])
        var shown: [String] = []
        try await followComments(on: "1", at: url, over: session) { shown.append($0) }
        #expect(shown == ["a", "b"])
    }

    @Test func `the comments of several posts arrive over one connection`() async throws {
        let operations = Locked(0)
        let isReady = Gate()
        let server = try LoopbackServer { request in
            switch request.method {
            case "PUT": return .text("token", status: 201)
            case "POST":
                let count = operations.withLock { count in
                    count += 1
                    return count
                }
                if count == 2 { isReady.open() }
                return .status(202)
            case "GET":
                return .stream(type: "text/event-stream") { writer in
                    try await writer.write(":\n\n")
                    await isReady.wait()
                    for id in ["1", "2"] {
                        let payload = #"{"data":{"commentAdded":{"text":"a"}}}"#
                        try await writer.write(
                            "event: next\ndata: {\"id\":\"\(id)\",\"payload\":\(payload)}\n\n"
                                + "event: complete\ndata: {\"id\":\"\(id)\"}\n\n")
                    }
                }
            default: return .status(405)
            }
        }
        let shown = Locked<[String]>([])
        try await followPosts(["1", "2"], at: server.url) { post, text in shown.withLock { $0.append(post + text) } }
        #expect(shown.withLock { $0.sorted() } == ["1a", "2a"])
        await server.stop()
    }

    @Test func `a GraphQL response with a deferred fragment is shown twice`() async throws {
        let url = try #require(URL(string: "https://films.example/graphql"))
        let payloads = [
            #"{"data":{"film":{"title":"A"}},"pending":[{"id":"0","path":["film"],"label":"reviews"}],"hasNext":true}"#,
            #"{"incremental":[{"id":"0","data":{"reviews":[{"text":"b"}]}}],"completed":[{"id":"0"}],"hasNext":false}"#,
        ]
        let body = payloads.map { "\r\n---\r\nContent-Type: application/json\r\n\r\n\($0)" }.joined() + "\r\n-----\r\n"
        let session = ScriptedSession([.data(Data(body.utf8), type: #"multipart/mixed; boundary="-""#)])
        var shown: [[String]] = []
        try await showFilm("1", at: url, over: session) { title, reviews in shown.append([title] + (reviews ?? [])) }
        #expect(shown == [["A"], ["A", "b"]])
    }

    @Test func `a GraphQL mutation uploads a file`() async throws {
        let url = try #require(URL(string: "https://blog.example/graphql"))
        let folder = try ScratchFolder()
        let file = try folder.file(Data("png".utf8), name: "sea.png")
        let session = ScriptedSession([.json(#"{"data":{"addPicture":{"id":"5"}}}"#)])
        #expect(try await addPicture(file, titled: "Sea", at: url, over: session) == "5")
        guard case .multipart(let body) = session.recorded.first?.body else {
            return #expect(Bool(false), "expected a multipart body")
        }
        #expect(body.parts.map(\.name) == ["operations", "map", "0"])
        #expect(body.parts.last?.content == .file(file) && body.parts.last?.fileName == "sea.png")
        withExtendedLifetime(folder) {}
    }

    @Test func `a GraphQL connection is loaded to its last page`() async throws {
        let url = try #require(URL(string: "https://git.example/graphql"))
        func part(_ title: String, _ info: String) -> CannedReply {
            .json(#"{"data":{"issues":{"nodes":[{"title":"\#(title)"}],"pageInfo":{\#(info)}}}}"#)
        }
        let session = ScriptedSession([
            part("a", #""hasNextPage":true,"endCursor":"A""#), part("b", #""hasNextPage":false"#),
        ])
        #expect(try await titles(at: url, over: session) == ["a", "b"])
        let bodies = session.recorded.map { String(decoding: $0.body.data ?? Data(), as: UTF8.self) }
        #expect(bodies.map { $0.contains(#""cursor":"A""#) } == [false, true])
    }
}
