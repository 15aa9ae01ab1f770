import Errand
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CURLFormTests {
    private static func request(_ body: MultipartBody) throws -> APIRequest {
        var head = URLRequest(url: try #require(URL(string: "http://h/")))
        head.httpMethod = "POST"
        var request = APIRequest(head: head, body: .multipart(body))
        request.options.redirects = .manual
        return request
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let part: MultipartBody.Part
        let arguments: String
        var mode: MultipartBody.Mode = .data
        var testDescription: String { arguments }
    }

    @Test(arguments: [
        Row(part: .field("Ada", name: "title"), arguments: "--form-string 'title=Ada'"),
        Row(part: .field("@a;b=\"c\"\n", name: "t"), arguments: "--form-string 't=@a;b=\"c\"\n'"),
        Row(part: .field("a\nb", name: "c\nd"), arguments: "--form-string 'c\r\nd=a\r\nb'", mode: .form),
        Row(part: .field("x", name: "password"), arguments: "--form-string 'password=‹redacted›'"),
        Row(
            part: .field(#"{"token":"x","a":1}"#, name: "t"),
            arguments: #"--form-string 't={"token":"‹redacted›","a":1}'"#),
        Row(
            part: .file(URL(filePath: "/f/a \"b\\.png"), name: "picture", contentType: "image/png"),
            arguments: #"--form 'picture=@"/f/a \"b\\.png";type=image/png'"#),
        Row(
            part: .file(
                URL(filePath: "/f/a.png"), name: "p", fileName: "b;\".png", contentType: "text/plain; charset=utf-8"),
            arguments: #"--form 'p=@"/f/a.png";filename="b;\".png";type=text/plain; charset=utf-8'"#),
        Row(
            part: MultipartBody.Part(
                name: "p", headers: ["X-A": "b\"", "X-Api-Key": "k"], content: .file(URL(filePath: "/f"))),
            arguments: #"--form 'p=<"/f";headers="X-A: b\"";headers="X-Api-Key: ‹redacted›"'"#),
        Row(
            part: .data(Data(#"{"a":"\""}"#.utf8), name: "j", contentType: "application/json"),
            arguments: #"--form 'j="{\"a\":\"\\\"\"}";type=application/json'"#),
    ])
    func `a part is an option of curl`(row: Row) throws {
        let command = try Self.request(MultipartBody([row.part], mode: row.mode)).cURLCommand()
        let shown = row.arguments.replacingOccurrences(of: "\r", with: #"'"$(printf '\015')"'"#)
        #expect(command == "curl \(shown) --url 'http://h/'")
    }

    @Test func `a form without parts is not a GET request`() throws {
        let command = try Self.request(MultipartBody([], boundary: "B")).cURLCommand()
        #expect(
            command.contains(" --data-binary ") && command.contains("multipart/form-data; boundary=B"), "\(command)")
    }

    @Test func `a hidden part or a stream comes from standard input`() throws {
        let rows: [(part: MultipartBody.Part, command: String)] = [
            (
                .stream(name: "s", fileName: "f.txt", contentType: "text/plain") { AsyncParts([]) },
                ": 'part 2 of the body is a stream; pass it to standard input'\n"
                    + #"curl --form-string 'a=b' --form 's=@-;filename="f.txt";type=text/plain' --url 'http://h/'"#
            ),
            (
                .data(Data("xyz".utf8), name: "d"),
                ": 'part 2 of the body has 3 bytes that are hidden; pass them to standard input'\n"
                    + "curl --form-string 'a=b' --form 'd=<-' --url 'http://h/'"
            ),
        ]
        for row in rows {
            let request = try Self.request(MultipartBody([.field("b", name: "a"), row.part]))
            #expect(request.cURLCommand() == row.command)
        }
        let request = try Self.request(MultipartBody([.data(Data([0xFF, 0]), name: "d", fileName: "f")]))
        #expect(
            request.cURLCommand(revealingSecrets: true)
                == "printf %s '/wA=' | base64 -d | curl "
                + #"--form 'd=@-;filename="f";type=application/octet-stream' --url 'http://h/'"#)
    }

    @Test func `a body that curl has no options for comes from standard input`() throws {
        let stream = MultipartBody.Part.stream(name: "s") { AsyncParts([]) }
        let rows: [[MultipartBody.Part]] = [
            [stream, stream], [.field("v", name: "a=b"), stream], [.field("v", name: ""), stream],
            [.data(Data(), name: "a", contentType: "a,b"), stream],
            [.field(String(repeating: "v", count: 70_000), name: "a"), stream],
        ]
        for parts in rows {
            let command = try Self.request(MultipartBody(parts, boundary: "B")).cURLCommand()
            #expect(command.contains(": 'the body has parts that curl has no options for; pass it to standard input'"))
            #expect(command.contains("curl --header 'Content-Type: multipart/form-data; boundary=B' --data-binary @-"))
        }
        let memory = try Self.request(MultipartBody([.field("s3cret", name: "a=b")], boundary: "B"))
        #expect(memory.cURLCommand().contains("is hidden") && !memory.cURLCommand().contains("s3cret"))
        #expect(memory.cURLCommand(revealingSecrets: true).contains("| base64 -d | curl --header 'Content-Type: multi"))
    }
}
