import Errand
import ErrandSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CURLCommandTests {
    private let shell: CURLShell

    init() throws {
        shell = try CURLShell()
    }

    private static func request(
        _ text: String = "https://api.test/a?b=1&c=2", _ method: HTTPMethod = .post, _ headers: HeaderFields = [:],
        body: RequestBody = .none, _ configure: (inout RequestOptions) -> Void = { _ in }
    ) throws -> APIRequest {
        var head = URLRequest(url: try #require(URL(string: text)))
        head.httpMethod = method.rawValue
        for header in headers { head.setValue(header.value, forHTTPHeaderField: header.name) }
        var request = APIRequest(head: head, body: body)
        request.options.redirects = .manual
        configure(&request.options)
        return request
    }

    /// Strings that a shell, a terminal or `curl` could interpret instead of passing on unchanged.
    static let texts = [
        "plain", "it's", "''", "'", #"a"b"#, #"back\slash\"#, "$(touch x) ${HOME} $HOME", "`id`", "line\nbreak\n", "\n",
        "a!b !! !$",
        "né 👩‍👩‍👧 字", "-d", "--data x", "@/etc/passwd", "@-", "@", "*?[a-z]{b,c}~", "; rm -rf . & # |<>()", "%s %d \\n \\0",
        "tab\there", "\u{1B}[2J", "\u{202E}evil", "a\rb", "\u{7F}", "=x", " lead and trail ",
    ]

    @Test(arguments: texts) func `a body with special characters keeps its bytes`(text: String) async throws {
        let body = Data(text.utf8)
        let request = try Self.request("https://api.test/", .post, ["Content-Type": "text/plain"], body: .data(body))
        let command = request.cURLCommand(revealingSecrets: true)
        let given = try await shell.run(command)
        #expect(try given.body() == body && survivesPasting(command))
        #expect(given.values(of: "--url") == ["https://api.test/"] && given.values(of: "--request").isEmpty)
    }

    @Test(arguments: texts) func `redaction keeps other text in forms and JSON unchanged`(text: String) async throws {
        struct Note: Encodable { let text: String, count = 1.50 }
        var json = URLRequest(url: try #require(URL(string: "https://api.test/")))
        json.httpMethod = "POST"
        json.httpBody = try JSONEncoder().encode(Note(text: text))
        #expect(try await shell.run(json.cURLCommand()).body() == json.httpBody)
        let form = Data("text=\(PercentEncoding.form(text))&n=1".utf8)
        let type: HeaderFields = ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"]
        let request = try Self.request("https://api.test/", .put, type, body: .data(form))
        #expect(try await shell.run(request.cURLCommand()).body() == form)
    }

    @Test(arguments: texts.filter { !$0.contains(where: \.isNewline) })
    func `a header value is passed to curl unchanged`(text: String) async throws {
        let request = try Self.request("https://api.test/", .get, ["X-Note": text])
        let command = request.cURLCommand()
        let given = try await shell.run(command)
        #expect(survivesPasting(command))
        let value = request.headers["X-Note"] ?? ""
        #expect(given.values(of: "--header") == ["X-Note: \(value)"])
    }

    /// Returns whether a terminal inserts and displays every character unchanged.
    private func survivesPasting(_ command: String) -> Bool {
        command.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\u{200D}" || ![.control, .format].contains(scalar.properties.generalCategory)
        }
    }

    static let bytes: [(String, Data)] = [
        ("NUL", Data("a\0b".utf8)), ("not UTF-8", Data([0xFF, 0xFE, 0x00, 0x80])), ("empty", Data()),
        ("every byte", Data((0...255).map { UInt8($0) })), ("largest body shown", Data(repeating: 0, count: 65_536)),
    ]

    @Test(arguments: bytes) func `a binary body is piped to curl`(name: String, body: Data) async throws {
        let request = try Self.request("https://api.test/", .put, body: .data(body))
        let given = try await shell.run(request.cURLCommand(revealingSecrets: true))
        #expect(try given.body() == body)
        #expect(given.values(of: "--header") == ["Content-Type:"], "curl would add a form content type")
        #expect(given.values(of: "--request") == ["PUT"])
    }

    static let shells = ["/bin/sh", "/bin/bash", "/bin/dash", "/bin/ksh", "/bin/zsh", "/usr/bin/zsh"]

    @Test func `every installed shell parses a command the same way`() async throws {
        let all = Self.texts.filter { !$0.contains("\n") }.joined()
        let request = try Self.request(
            "https://api.test/%5B", .post, ["X-Note": all, "X-None": ""], body: .data(Data(Self.texts.joined().utf8)))
        let expected = try await shell.run(request.cURLCommand(revealingSecrets: true))
        for other in Self.shells.dropFirst() where FileManager.default.isExecutableFile(atPath: other) {
            let given = try await shell.run(request.cURLCommand(revealingSecrets: true), shell: other)
            #expect(given.arguments == expected.arguments && given.input == expected.input, "\(other)")
        }
    }

    @Test(arguments: ["plain.bin", "it's", "@at", "-", "$(x) `y` \"z\"", "line\nbreak", "tab\t", "né"])
    func `a file body is passed by name`(name: String) async throws {
        let folder = try ScratchFolder()
        let file = try folder.file(Data("in the file".utf8), name: name)
        let request = try Self.request("https://api.test/", .post, body: .file(file))
        let given = try await shell.run(request.cURLCommand())
        #expect(given.values(of: "--data-binary") == ["@" + file.path(percentEncoded: false)])
        #expect(try given.body() == Data("in the file".utf8))
    }

    @Test func `a body that the command cannot hold comes from standard input`() async throws {
        let large = RequestBody.data(Data(repeating: UInt8(ascii: "a"), count: 1 << 20))
        let stream = RequestBody.stream { AsyncParts([]) }
        for (body, note) in [
            (large, "has 1048576 bytes"), (stream, "is a stream"), (.data(Data("x".utf8)), "is hidden"),
        ] {
            let command = try Self.request(body: body).cURLCommand()
            #expect(command.hasPrefix(": 'the body ") && command.contains(note) && command.utf8.count < 500)
            #expect(try await shell.run(command, input: "from elsewhere").body() == Data("from elsewhere".utf8))
        }
        var plain = URLRequest(url: try #require(URL(string: "https://api.test/")))
        plain.httpMethod = "POST"
        plain.httpBodyStream = InputStream(data: Data("x".utf8))
        #expect(plain.cURLCommand().contains("is a stream"))
        var forged = try Self.request("https://api.test/", .get)
        forged.head.setValue("a\r\nX-Forged: 1", forHTTPHeaderField: "X-Note")
        let given = try await shell.run(forged.cURLCommand())
        #expect(!given.arguments.contains { $0.contains("Forged") })
        forged.url = nil
        #expect(forged.cURLCommand().contains("the request has no URL"))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let request: APIRequest
        let command: String
        var testDescription: String { command }
    }

    static func rows() throws -> [Row] {
        let json = RequestBody.data(Data("{}".utf8))
        let type: HeaderFields = ["Content-Type": "application/json"]
        let end = "--url 'https://api.test/a?b=1&c=2'"
        return [
            Row(request: try request(), command: "curl --request POST \(end)"),
            Row(request: try request("http://h/", .get), command: "curl --url 'http://h/'"),
            Row(request: try request("http://h/", .head), command: "curl --head --url 'http://h/'"),
            Row(request: try request("http://h/#part", .delete), command: "curl --request DELETE --url 'http://h/'"),
            Row(
                request: try request(body: json),
                command: "curl --header 'Content-Type:' --data-binary '{}' \(end)"),
            Row(
                request: try request("http://h/", .patch, type, body: json),
                command:
                    "curl --request PATCH --header 'Content-Type: application/json' --data-binary '{}' --url 'http://h/'"
            ),
            Row(
                request: try request("http://h/", .query, type, body: json),
                command:
                    "curl --request QUERY --header 'Content-Type: application/json' --data-binary '{}' --url 'http://h/'"
            ),
            Row(
                request: try request("http://h/", .get, ["X-None": "", "Accept": "*/*"]),
                command: "curl --header 'Accept: */*' --header 'X-None;' --url 'http://h/'"),
            Row(
                request: try request("http://[::1]:80/a/../b/%2e", .get),
                command: "curl --globoff --path-as-is --url 'http://[::1]:80/a/../b/%2e'"),
        ]
    }

    static func redirectRows() throws -> [Row] {
        [
            Row(
                request: try request("http://h/", .get) { $0.redirects = .follow(upTo: 3) },
                command: "curl --location --max-redirs 3 --url 'http://h/'"),
            Row(
                request: try request("https://h/", .get) { $0.redirects = .follow },
                command: "curl --location --max-redirs 20 --proto-redir '=https' --url 'https://h/'"),
            Row(
                request: try request("http://h/", .get) { $0.redirects = .error },
                command: "curl --location --max-redirs 0 --url 'http://h/'"),
            Row(
                request: try request("http://h/", .get, ["Accept": "a/b", "Authorization": "k", "Host": "b"]) {
                    $0.redirects = .follow
                },
                command: "curl --header 'Accept: a/b' --header 'Authorization: ‹redacted›' --header 'Host: b' "
                    + "--location --max-redirs 20 --url 'http://h/'"),
            Row(
                request: try request("http://h/", .get, ["X-Shop": "k"]) { $0.redirects = .follow },
                command: ": 'redirects are not followed: curl would send X-Shop to another host'\n"
                    + "curl --header 'X-Shop: k' --url 'http://h/'"),
            Row(
                request: try request("http://h/", .get, ["X-Shop": "k"]) {
                    $0.redirects = RedirectInterceptor.Policy(crossOriginHeaders: ["x-shop"])
                },
                command: "curl --header 'X-Shop: k' --location --max-redirs 20 --url 'http://h/'"),
            Row(
                request: try request("http://h/", .get, ["X-Api-Key": "k"]) { $0.redirects = .follow },
                command: ": 'redirects are not followed: curl would send X-Api-Key to another host'\n"
                    + "curl --header 'X-Api-Key: ‹redacted›' --url 'http://h/'"),
        ]
    }

    @Test func `a command contains only the required options`() throws {
        for row in try Self.rows() + Self.redirectRows() { #expect(row.request.cURLCommand() == row.command) }
    }
}
