import Errand
import ErrandGraphQL
import ErrandSupport
import ErrandTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct SnapshotTests {
    private typealias Scene = SnapshotScene

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let payloads: [String]
        /// The data of each snapshot.
        let data: [PersonPage.Person?]
        var testDescription: String { name }
    }

    private static let luke = PersonPage.Person(name: "Luke")

    static let rows: [Row] = [
        Row(
            name: "deferred data by ID",
            payloads: [
                #"{"data":{"person":{"name":"Luke"}},"pending":[{"id":"0","path":["person"],"label":"home"}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"home":{"name":"Tatooine"}}}],"completed":[{"id":"0"}],"hasNext":false}"#,
            ],
            data: [luke, .init(name: "Luke", home: .init(name: "Tatooine"))]),
        Row(
            name: "a sub-path and nested parts",
            payloads: [
                #"{"data":{"person":{"home":{"name":"T"}}},"pending":[{"id":"0","path":["person"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","subPath":["home"],"data":{"climate":"dry"}},{"id":"0","data":{"name":"Luke"}}],"#
                    + #""completed":[{"id":"0"}],"pending":[{"id":"1","path":["person"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"1","data":{"films":[]}}],"completed":[{"id":"1"}],"hasNext":false}"#,
            ],
            data: [
                .init(home: .init(name: "T")), .init(name: "Luke", home: .init(name: "T", climate: "dry")),
                .init(name: "Luke", home: .init(name: "T", climate: "dry"), films: []),
            ]),
        Row(
            name: "streamed items by ID, and deferred data of an item",
            payloads: [
                #"{"data":{"person":{"films":[{"title":"a"}]}},"pending":[{"id":"0","path":["person","films"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","items":[{"title":"b"},{"title":"c"}]}],"hasNext":true,"#
                    + #""pending":[{"id":"1","path":["person","films",0]}]}"#,
                #"{"incremental":[{"id":"1","data":{"year":1977}}],"completed":[{"id":"1"}],"hasNext":true}"#,
                #"{"completed":[{"id":"0"}],"hasNext":false}"#,
            ],
            data: [
                .init(films: [.init(title: "a")]),
                .init(films: [.init(title: "a"), .init(title: "b"), .init(title: "c")]),
                .init(films: [.init(title: "a", year: 1977), .init(title: "b"), .init(title: "c")]),
                .init(films: [.init(title: "a", year: 1977), .init(title: "b"), .init(title: "c")]),
            ]),
        Row(
            name: "the older format",
            payloads: [
                #"{"data":{"person":{"home":{"name":"T"},"films":[{"title":"a"}]}},"hasNext":true}"#,
                #"{"incremental":[{"label":"h","path":["person"],"data":{"name":"Luke","home":{"climate":"dry"}}},"#
                    + #"{"path":["person","films",1],"items":[{"title":"b"}]},{"path":["person","films",0],"data":{"year":1}}],"#
                    + #""hasNext":true}"#,
                #"{"hasNext":false}"#,
            ],
            data: [
                .init(home: .init(name: "T"), films: [.init(title: "a")]),
                .init(
                    name: "Luke", home: .init(name: "T", climate: "dry"),
                    films: [.init(title: "a", year: 1), .init(title: "b")]),
                .init(
                    name: "Luke", home: .init(name: "T", climate: "dry"),
                    films: [.init(title: "a", year: 1), .init(title: "b")]),
            ]),
        Row(
            name: "the example of the RFC: one entry in the payload",
            payloads: [
                #"{"data":{},"hasNext":true}"#, #"{"data":{"person":{"name":"Luke"}},"path":[],"hasNext":false}"#,
            ],
            data: [nil, luke]),
        Row(name: "one payload", payloads: [#"{"data":{"person":{"name":"Luke"}}}"#], data: [luke]),
        Row(
            name: "escaped and repeated names, and texts that look like delimiters",
            payloads: [
                #"{"data":{"person":{"na\u006de":"\r\n---\u0022","name":"x"}},"pending":[{"id":"\u0000","path":["person"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"\u0000","data":{"fil\u006ds":[ ]}}],"completed":[{"id":"\u0000"}],"hasNext":false}"#,
            ],
            data: [.init(name: "\r\n---\""), .init(name: "\r\n---\"", films: [])]),
    ]

    @Test(arguments: rows) func `each payload gives a snapshot of the merged response`(row: Row) async throws {
        let snapshots = try await Scene.snapshots(Scene.reply(row.payloads))
        #expect(snapshots.map { $0.response.data?.person } == row.data)
        #expect(snapshots.map(\.isComplete) == row.payloads.indices.map { $0 == row.payloads.count - 1 })
        #expect(try snapshots.last?.response.requireComplete().person == row.data.last ?? nil)
        #expect(snapshots.last?.pending.isEmpty == true)
    }

    @Test(arguments: rows) func `snapshots do not depend on the boundaries of chunks`(row: Row) async throws {
        let bytes = Data(Scene.body(row.payloads).utf8)
        let session = ScriptedSession(answering: { request in
            let index = Int(request.headers["X-Split"] ?? "") ?? 0
            let parts = [Data(bytes.prefix(index)), Data(bytes.dropFirst(index))].filter { !$0.isEmpty }
            return .chunks(parts, type: Scene.type)
        })
        for index in bytes.indices {
            var request = try Scene.request()
            request.headers = ["X-Split": "\(index)"]
            let snapshots = try await APILoader(request, session: session).snapshots().all()
            #expect(snapshots.map { $0.response.data?.person } == row.data, "split at \(index)")
        }
        let single = bytes.map { Data([$0]) }
        let snapshots = try await Scene.snapshots(.chunks(single, type: Scene.type))
        #expect(snapshots.map { $0.response.data?.person } == row.data)
    }

    @Test func `a snapshot is available before the next payload`() async throws {
        let payloads = try #require(Self.rows.first).payloads
        let first = Scene.body([payloads[0]], isClosed: false)
        let reply = Scene.reply(payloads).stallingBody(after: first.utf8.count)
        var iterator = try Scene.loader(ScriptedSession([reply])).snapshots().makeAsyncIterator()
        let snapshot = try await iterator.next()
        #expect(snapshot?.response.data?.person == Self.luke && snapshot?.isComplete == false)
        #expect(snapshot?.pending == [GraphQLPendingPart(path: ["person"], label: "home")])
        #expect(snapshot?.isPending("home") == true && snapshot?.isPending("films") == false)
        let error = #expect(throws: ServiceError.self) { try snapshot?.response.requireComplete() }
        #expect(error?.code == .graphQL)
    }

    @Test func `errors and extensions of all payloads are part of the response`() async throws {
        let payloads = [
            #"{"data":{"person":{}},"errors":[{"message":"a"}],"extensions":{"x":1,"t":{"a":1}},"hasNext":true,"#
                + #""pending":[{"id":"0","path":["person"]},{"id":"1","path":["person"]}]}"#,
            #"{"incremental":[{"id":"0","data":{"name":null},"errors":[{"message":"b","path":["person","name"]}],"#
                + #""extensions":{"t":{"b":2}}}],"completed":[{"id":"0"}],"extensions":null,"hasNext":true}"#,
            #"{"completed":[{"id":"1","errors":[{"message":"c"}]}],"extensions":{"x":2},"hasNext":false}"#,
        ]
        let snapshots = try await Scene.snapshots(Scene.reply(payloads))
        #expect(snapshots.map { $0.response.errors.map(\.message) } == [["a"], ["a", "b"], ["a", "b", "c"]])
        #expect(snapshots.last?.response.extensions == ["x": 2, "t": ["a": 1, "b": 2]])
        #expect(snapshots.last?.isComplete == true && snapshots.last?.response.data?.person == PersonPage.Person())
    }

    /// A model that counts how often it was decoded.
    private struct CountedPage: Decodable, Sendable {
        static let count = Locked(0)
        let name: String?

        private enum CodingKeys: CodingKey { case name }

        init(from decoder: any Decoder) throws {
            Self.count.withLock { $0 += 1 }
            name = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .name)
        }
    }

    @Test func `a payload that changes nothing is not decoded again`() async throws {
        let payloads = [
            #"{"data":{"name":"Luke"},"pending":[{"id":"0","path":[]},{"id":"1","path":[]}],"hasNext":true}"#,
            #"{"hasNext":true}"#, #"{"incremental":[{"id":"0","data":{}}],"errors":[],"hasNext":true}"#,
            #"{"completed":[{"id":"0"}],"hasNext":true}"#, #"{"completed":[{"id":"1"}],"hasNext":false}"#,
        ]
        let url = try #require(URL(string: "https://films.test/graphql"))
        let request = GraphQLRequest<NoVariables, CountedPage>(try QueryDocument("{ name }"), at: url)
        let session = ScriptedSession([Scene.reply(payloads)])
        let snapshots = try await APILoader(request, session: session).snapshots().all()
        #expect(CountedPage.count.withLock { $0 } == 1)
        #expect(snapshots.map { $0.response.data?.name } == Array(repeating: "Luke", count: 5))
        #expect(snapshots.map(\.isComplete) == [false, false, false, false, true])
        #expect(snapshots.map(\.pending.count) == [2, 2, 2, 1, 0])
        #expect(try snapshots.last?.response.requireComplete().name == "Luke")
    }

    @Test func `a response that is one JSON text is one complete snapshot`() async throws {
        let snapshots = try await Scene.snapshots(.json(#"{"data":{"person":{"name":"Luke"}}}"#))
        #expect(snapshots.map { $0.response.data?.person } == [Self.luke] && snapshots.map(\.isComplete) == [true])
        let refused = try await Scene.snapshots(.json(#"{"errors":[{"message":"m"}]}"#, status: 400))
        #expect(refused.map(\.response.errors.count) == [1] && refused.map(\.isComplete) == [true])
    }

    @Test func `the request accepts incremental delivery and is sent once`() async throws {
        let script = ScriptedSession([Scene.reply([#"{"data":{}}"#])])
        let url = try #require(URL(string: "https://films.test/graphql"))
        let request = GraphQLRequest<GraphQLVariables, PersonPage>(try QueryDocument(Scene.document), at: url)
        let session = script.intercepted(by: Marker())
        _ = try await APILoader(request, session: session).snapshots(["id": "5"]).all()
        try script.verify()
        let sent = try #require(script.recorded.first)
        #expect(sent.method == .post && sent.headers["X-Marker"] == "1", "the interceptors see the request")
        #expect(
            sent.headers["Accept"]
                == "multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824;q=0.9, multipart/mixed;q=0.8, "
                + "application/graphql-response+json;q=0.7, application/json;q=0.6")
        let body = String(decoding: sent.body.data ?? Data(), as: UTF8.self)
        #expect(body.contains("@defer") && body.contains(#""variables":{"id":"5"}"#))
    }

    private struct Marker: Interceptor {
        func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
            var request = request
            request.head.setValue("1", forHTTPHeaderField: "X-Marker")
            return try await next.send(request)
        }
    }
}
