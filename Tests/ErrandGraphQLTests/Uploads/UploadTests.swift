import Errand
import ErrandGraphQL
import ErrandTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct UploadTests {
    typealias File = MultipartBody.Part
    struct Added: Decodable, Sendable, Equatable { let add: String }

    private let added = CannedReply.json(#"{"data":{"add":"5"}}"#)

    private func request<Variables>(
        _ declaration: String, for type: Variables.Type = GraphQLVariables.self, method: HTTPMethod = .post
    ) throws -> GraphQLRequest<Variables, Added> {
        let document = try QueryDocument("mutation Add(\(declaration)) { add }")
        let url = try #require(URL(string: "https://photos.test/graphql"))
        return GraphQLRequest<Variables, Added>(document, at: url, method: method)
    }

    /// Returns the parts of a body in memory, each with its header section.
    private func parts(of request: APIRequest?) throws -> [String] {
        let type = try #require(request?.headers["Content-Type"])
        let boundary = try #require(type.split(separator: "boundary=").last)
        #expect(type.hasPrefix("multipart/form-data; boundary="))
        let text = String(decoding: try #require(request?.body.data), as: UTF8.self)
        return text.components(separatedBy: "--\(boundary)\r\n").dropFirst()
            .map { $0.components(separatedBy: "\r\n--\(boundary)--")[0] }
            .map { $0.hasSuffix("\r\n") ? String($0.dropLast()) : $0 }
    }

    private func content(of part: String?) -> String? { part?.components(separatedBy: "\r\n\r\n").last }

    @Test func `the operation, the map and the files are sent in this order`() async throws {
        let script = ScriptedSession([added])
        let loader = APILoader(
            try request("$title: String, $picture: Upload!, $note: Upload"), session: script)
        let response = try await loader.load(
            ["title": "Sea"],
            files: [
                .data(Data("png".utf8), name: "picture", fileName: "sea.png", contentType: "image/png"),
                .data(Data("text".utf8), name: "note"),
            ])
        #expect(try response.requireComplete() == Added(add: "5"))
        let sent = try #require(script.recorded.first)
        #expect(sent.method == .post)
        #expect(sent.headers["Accept"] == "application/graphql-response+json, application/json;q=0.9")
        let parts = try parts(of: sent)
        let operations =
            #"{"operationName":"Add","query":"mutation Add($title: String, $picture: Upload!, $note: Upload) { add }","#
            + #""variables":{"title":"Sea","picture":null,"note":null}}"#
        #expect(
            parts == [
                "Content-Disposition: form-data; name=\"operations\"\r\n\r\n\(operations)",
                "Content-Disposition: form-data; name=\"map\"\r\n\r\n"
                    + #"{"0":["variables.picture"],"1":["variables.note"]}"#,
                "Content-Disposition: form-data; name=\"0\"; filename=\"sea.png\"\r\nContent-Type: image/png\r\n\r\npng",
                "Content-Disposition: form-data; name=\"1\"; filename=\"file\"\r\n"
                    + "Content-Type: application/octet-stream\r\n\r\ntext",
            ])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let variables: GraphQLVariables
        let paths: [String]
        let json: String
        var testDescription: String { "\(paths)" }
    }

    @Test(arguments: [
        Row(variables: [:], paths: ["a"], json: #"{"a":null}"#),
        Row(variables: ["a": nil, "b": 1], paths: ["a"], json: #"{"a":null,"b":1}"#),
        Row(variables: [:], paths: ["a.0", "a.1"], json: #"{"a":[null,null]}"#),
        Row(variables: ["a": [nil, nil] as GraphQLValue], paths: ["a.1", "a.0"], json: #"{"a":[null,null]}"#),
        Row(variables: [:], paths: ["a.b.c"], json: #"{"a":{"b":{"c":null}}}"#),
        Row(
            variables: ["a": ["list": [["x": 1]], "0": "y"] as GraphQLValue],
            paths: ["a.list.0.file", "a.list.1.file"],
            json: #"{"a":{"0":"y","list":[{"x":1,"file":null},{"file":null}]}}"#),
        Row(variables: ["a": ["0": nil] as GraphQLValue], paths: ["a.0"], json: #"{"a":{"0":null}}"#),
    ])
    func `the value at the path of a file is null`(row: Row) async throws {
        let script = ScriptedSession([added])
        let files = row.paths.enumerated().map { File.data(Data([UInt8($0.offset)]), name: $0.element) }
        _ = try await APILoader(request("$a: A, $b: Int"), session: script).load(row.variables, files: files)
        let parts = try parts(of: script.recorded.first)
        #expect(content(of: parts.first)?.hasSuffix(#""variables":\#(row.json)}"#) == true, "\(parts)")
        let map = row.paths.enumerated().map { #""\#($0.offset)":["variables.\#($0.element)"]"# }
        #expect(content(of: parts[1]) == "{\(map.joined(separator: ","))}")
    }

    @Test func `files that differ only in their paths are sent once`() throws {
        let stream = File.stream(once: ByteChunks(["ab"]), name: "a", fileName: "n")
        let again = File(name: "b", fileName: "n", content: stream.content)
        let upload = GraphQLUpload(NoVariables(), files: [stream, again])
        let handler = try request("$a: Upload, $b: Upload", for: NoVariables.self).multipart()
        guard case .multipart(let body) = try handler.body(for: upload) else {
            return #expect(Bool(false), "expected a multipart body")
        }
        #expect(body.parts.map(\.name) == ["operations", "map", "0"])
        #expect(body.parts[1].content == .text(#"{"0":["variables.a","variables.b"]}"#))
    }

    @Test func `numbers of the variables keep all digits`() async throws {
        struct Variables: Encodable, Sendable { let amount = Decimal(string: "12345678901234567890.123456789") }
        let script = ScriptedSession([added])
        let loader = APILoader(try request("$amount: X, $a: Upload", for: Variables.self), session: script)
        _ = try await loader.load(Variables(), files: [.data(Data(), name: "a")])
        let operations = content(of: try parts(of: script.recorded.first).first)
        #expect(operations?.contains(#""variables":{"amount":12345678901234567890.123456789,"a":null}"#) == true)
    }

    @Test(arguments: [
        ("picture", "expected one of $a, $b"), ("", "expected the path of a variable"),
        ("a..b", "expected the path of a variable"), ("a.1", "expected an index of at most 0, found “1”"),
        ("b.-1", "expected an index of at most 1, found “-1”"), ("b.x", "expected an index of at most 1, found “x”"),
        ("b.01", "expected an index of at most 1, found “01”"),
        ("b", "expected null or no value, found another value"), ("b.0.c", "expected an object or a list at “c”"),
        ("a\u{0}\n", "expected one of"),
        (Array(repeating: "a", count: 33).joined(separator: "."), "expected the path of a variable"),
    ])
    func `a path that does not fit the variables is an error`(path: String, reason: String) async throws {
        let script = ScriptedSession([])
        let loader = APILoader(try request("$a: A, $b: B"), session: script)
        let error = await #expect(throws: ServiceError.self) {
            try await loader.load(["b": [5]], files: [.data(Data(), name: path)])
        }
        #expect(error?.code == .encoding && error?.reason.contains(reason) == true, "\(String(describing: error))")
        #expect(script.recorded.isEmpty)
    }

    @Test func `a persisted-query interceptor does not change a request with files`() async throws {
        let script = ScriptedSession([added])
        let session = script.intercepted(by: PersistedQueryInterceptor())
        _ = try await APILoader(request("$a: A"), session: session).load([:], files: [.data(Data(), name: "a")])
        #expect(try parts(of: script.recorded.first).count == 3)
    }

    @Test func `two files at one path and a GET request are errors`() async throws {
        let file = File.data(Data(), name: "a")
        let post = APILoader(try request("$a: A"), session: ScriptedSession([]))
        let twice = await #expect(throws: ServiceError.self) {
            try await post.load([:], files: [file, .data(Data([1]), name: "a")])
        }
        #expect(twice?.reason.contains("expected one file for each path, found two") == true)
        let within = await #expect(throws: ServiceError.self) {
            try await post.load([:], files: [file, .data(Data([1]), name: "a.b")])
        }
        #expect(within?.reason.contains("expected one file for each path, found two") == true)
        var get = try request("$a: A", method: .get)
        get.document = try QueryDocument("query Q($a: A) { add }")
        let error = await #expect(throws: ServiceError.self) {
            try await APILoader(get, session: ScriptedSession([])).load([:], files: [file])
        }
        #expect(error?.reason.contains("expected method POST for a request with files") == true)
    }

    @Test func `an upload of a mutation is not repeated, and its progress is reported`() async throws {
        let script = ScriptedSession([.status(503)])
        let session = script.intercepted(by: RetryInterceptor())
        let upload = GraphQLUpload<GraphQLVariables>(["a": nil], files: [.data(Data("abc".utf8), name: "a")])
        let loader = APILoader(try request("$a: Upload").multipart(), session: session, time: InstantClock())
        let error = await #expect(throws: ServiceError.self) {
            for try await _ in loader.upload(upload) {}
        }
        #expect(error?.status == 503 && script.recorded.count == 1)
        #expect("\(upload)" == "‹variables and 1 file›")
    }
}

/// Chunks that can be iterated once.
private struct ByteChunks: AsyncSequence, Sendable {
    let texts: [String]

    init(_ texts: [String]) { self.texts = texts }

    func makeAsyncIterator() -> Iterator { Iterator(rest: texts[...]) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<String>
        mutating func next() async throws -> Data? { rest.popFirst().map { Data($0.utf8) } }
    }
}
