import Errand
import ErrandSupport
import Testing

@Suite struct APIPathTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let path: APIPath
        let expansion: String
        var testDescription: String { "\(path) → \(expansion)" }

        init(_ path: APIPath, _ expansion: String) {
            self.path = path
            self.expansion = expansion
        }
    }

    static let name = "a/b c?d#é%41"
    static let encoded = "a%2Fb%20c%3Fd%23%C3%A9%2541"
    static let text = "/computed/{id}"

    @Test(arguments: [
        Row("/photos", "/photos"), Row("", ""), Row("/", "/"), Row("/photos/\(name)", "/photos/\(encoded)"),
        Row(APIPath("/photos/\(name)"), "/photos/\(encoded)"), Row("/a\(1)b\(true)c", "/a1btruec"),
        Row(APIPath("/photos/\(name){?page}", ["page": 2]), "/photos/\(encoded)?page=2"),
        Row(APIPath("/photos{?page,tag}", ["page": Int?.none]), "/photos"),
        Row(APIPath(template: text, ["id": 7]), "/computed/7"),
        Row("/list/\(["a", "b,c"])", "/list/a,b%2Cc"),
        Row("/a b/ü\"|", "/a%20b/%C3%BC%22%7C"), Row("/100%/%41%zz", "/100%25/%41%25zz"),
        Row("/a?b[]=1#c[d]#e", "/a?b%5B%5D=1#c%5Bd%5D%23e"), Row("/[x]\\", "/%5Bx%5D%5C"),
        Row(APIPath("/f/{+p}", ["p": "a/b[1]%2F%"]), "/f/a/b%5B1%5D%2F%25"), Row("/a/../b/.", "/a/../b/."),
        Row(APIPath("/a?r={+r}", ["r": "http://x/?y"]), "/a?r=http://x/?y"),
        Row(APIPath("/a?x=1{?page}", ["page": 2]), "/a?x=1&page=2"),
        Row(APIPath("/a{&page}", ["page": 2]), "/a?page=2"),
        Row(APIPath("/a{?x}{&y}", ["y": 2]), "/a?y=2"), Row(APIPath("/a?{&x}", ["x": 1]), "/a?x=1"),
        Row(APIPath("/a?x&{?y}", ["y": 1]), "/a?x&y=1"), Row(APIPath("/a{#f}", ["f": "x#y?z"]), "/a#x%23y?z"),
        Row(APIPath("/a{.e}{/s*}{;m}", ["e": "json", "s": ["b", "c"], "m": ""]), "/a.json/b/c;m"),
        Row(APIPath("/{x}{y}", ["x": ".", "y": ".x"]), "/..x"), Row("/a/\("...")", "/a/..."),
        Row(APIPath("{?q}", ["q": ".."]), "?q=.."), Row("/a/../\("b")", "/a/../b"),
        Row("/\("b")/../c", "/b/../c"), Row(APIPath("/{+x}/./c", ["x": "b/d"]), "/b/d/./c"),
        Row(APIPath("/..{/x}", ["x": "b"]), "/../b"), Row("/%2e/\("b")", "/%2e/b"), Row("/\("%2e%2E")", "/%252e%252E"),
    ])
    func `a path expands with its values encoded`(row: Row) throws {
        #expect(try row.path.expand() == row.expansion)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let path: APIPath
        let reason: String
        var testDescription: String { "\(path): \(reason)" }

        init(_ path: APIPath, _ reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    static let noText: String? = nil
    static let dots = ".."
    static let makesDots = "(counted from 0) would make a dot segment"
    static let startsQuery = "(counted from 0) would start a query or a fragment"
    static let isAbsent = "(counted from 0) requires a value that is not empty"
    static let isLate = "(counted from 0) would add a query or a fragment within the fragment"

    @Test(arguments: [
        Refusal("/a/{id}", "the variable 'id' at character 4 \(isAbsent)"),
        Refusal(APIPath("/a/{id}", ["id": ""]), "the variable 'id' at character 4 \(isAbsent)"),
        Refusal(APIPath("/é/{x,id}", ["x": 1, "id": [String]()]), "the variable 'id' at character 6 \(isAbsent)"),
        Refusal(APIPath("/{+id}", ["id": noText]), "the variable 'id' at character 3 \(isAbsent)"),
        Refusal("/a/\("")", "the interpolated value at character 3 \(isAbsent)"),
        Refusal("/\(1)/\(URITemplate.Value.undefined)", "the interpolated value at character 4 \(isAbsent)"),
        Refusal(APIPath("/a/{id}", ["id": 1, "idd": 2]), "expected a variable of the path template, found 'idd'"),
        Refusal(APIPath("/a", ["z": 1, "b": 2]), "expected a variable of the path template, found 'b'"),
        Refusal("/cafe\u{301}/\("")", "the interpolated value at character 7 \(isAbsent)"),
        Refusal("/a/\(dots)", "the interpolated value at character 3 \(makesDots)"),
        Refusal("/a/\(".")/b", "the interpolated value at character 3 \(makesDots)"),
        Refusal("/a/.\(".")?x", "the interpolated value at character 4 \(makesDots)"),
        Refusal("/\(".").", "the interpolated value at character 1 \(makesDots)"),
        Refusal(APIPath("/a{/x}#f", ["x": dots]), "the variable 'x' at character 4 \(makesDots)"),
        Refusal(APIPath("/a/{.x}", ["x": ""]), "the variable 'x' at character 5 \(makesDots)"),
        Refusal(APIPath("/{+x}/b", ["x": "a/../b"]), "the variable 'x' at character 3 \(makesDots)"),
        Refusal(APIPath("/{+x}/b", ["x": "a/%2e%2E"]), "the variable 'x' at character 3 \(makesDots)"),
        Refusal(APIPath("/{+x}", ["x": "a?b"]), "the variable 'x' at character 3 \(startsQuery)"),
        Refusal(APIPath("/?{+x}", ["x": "#b"]), "the variable 'x' at character 4 \(startsQuery)"),
        Refusal(APIPath("/#f{?x}", ["x": 1]), "the variable 'x' at character 5 \(isLate)"),
        Refusal("/a{", "malformed URI template, character 3 (counted from 0): unexpected end of the template"),
        Refusal("/\(1)}", "malformed URI template, character 3 (counted from 0): found '}' without a '{' before it"),
        Refusal("/{?\(1)}", "malformed URI template, character 3 (counted from 0): unexpected end of the template"),
        Refusal("/a\n", "malformed URI template, character 2 (counted from 0): found a control character"),
        Refusal("/{}", "malformed URI template, character 2 (counted from 0): expected a variable name"),
        Refusal(APIPath("/{x:2}", ["x": ["secret"]]), "template variable 'x' at character 2 \(composite)"),
    ])
    func `a path that would change the structure of its URL is rejected`(refusal: Refusal) throws {
        let error = try #require(throws: ServiceError.self) { try refusal.path.expand() }
        #expect(error.code == .configuration)
        #expect(error.reason == "path '\(refusal.path.template.singleLine())': \(refusal.reason)")
    }

    static let composite = "(counted from 0) has a prefix length, but its value is a list or pairs"

    @Test func `a path description shows no value`() {
        let path = APIPath("/a/\("hidden"){?token}", ["token": "hidden"])
        #expect(path.description == "/a/{}{?token}" && path.template == path.description)
        #expect(!String(reflecting: path).contains("hidden"))
        var dumped = ""
        dump(path, to: &dumped)
        #expect(!dumped.contains("hidden"))
    }

    @Test func `paths with equal templates and values are equal`() {
        #expect(APIPath("/{a}", ["a": 1]) == APIPath("/{a}", ["a": "1"]))
        #expect(APIPath("/{a}", ["a": 1]) != APIPath("/{a}", ["a": 2]))
        #expect("/\(1)" as APIPath != "/\(2)")
    }

    @Test func `a repeated variable replaces the first value`() throws {
        let first = APIPath("/{a}", ["a": 1])
        #expect(try APIPath(first, ["a": 2]).expand() == "/2")
    }
}
