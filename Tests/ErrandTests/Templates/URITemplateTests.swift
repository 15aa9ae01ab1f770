import Errand
import Testing

@Suite struct URITemplateTests {
    enum Order: String, URITemplate.Scalar { case latest }
    enum Level: Int, URITemplate.Scalar { case high = 3 }

    struct Row: Sendable, CustomTestStringConvertible {
        let template: String
        let expansion: String
        var testDescription: String { template }

        init(_ template: String, _ expansion: String) {
            self.template = template
            self.expansion = expansion
        }
    }

    static let variables: [String: any URITemplate.Variable] = [
        "var": "value", "hello": "Hello World!", "empty": "", "half": "50%", "path": "/foo/bar", "nothing": Int?.none,
        "list": ["red", "green"], "none": [String](), "keys": ["semi": ";", "dot": "."] as URITemplate.Value,
        "noKeys": [:] as URITemplate.Value, "emoji": "👩‍🚀é!", "done": "a%20%C3%A9b%", "blank": [""],
        "odd": ["a&b": "c=d"],
    ]

    @Test(arguments: [
        Row("{var}", "value"), Row("{hello}", "Hello%20World%21"), Row("{+hello}", "Hello%20World!"),
        Row("O{empty}X", "OX"), Row("O{nothing}X", "OX"), Row("{half}{+half}", "50%2550%25"),
        Row("{+path}/here", "/foo/bar/here"), Row("{#path,var}", "#/foo/bar,value"),
        Row("X{.var,var}", "X.value.value"),
        Row("{/list*,path}", "/red/green/%2Ffoo%2Fbar"), Row("{;hello,empty,nothing}", ";hello=Hello%20World%21;empty"),
        Row("{?var,empty,nothing}", "?var=value&empty="), Row("?a=1{&var}", "?a=1&var=value"),
        Row("{?list}", "?list=red,green"), Row("{?list*}", "?list=red&list=green"), Row("{?none,noKeys*}", ""),
        Row("{keys}", "semi,%3B,dot,."), Row("{keys*}", "semi=%3B,dot=."), Row("{?keys*}", "?semi=%3B&dot=."),
        Row("{;keys*}", ";semi=%3B;dot=."), Row("{+keys*}", "semi=;,dot=."), Row("{;blank*}{?blank*}", ";blank?blank="),
        Row("{var:3}{var:30}", "valvalue"), Row("{hello:6}", "Hello%20"), Row("{emoji:1}", "%F0%9F%91%A9"),
        Row("{+done}", "a%20%C3%A9b%25"), Row("{+done:2}", "a%20"), Row("{+done:3}", "a%20%C3%A9"),
        Row("{done:2}", "a%25"), Row("{+done:9}", "a%20%C3%A9b%25"), Row("{?odd*}", "?a%26b=c%3Dd"),
        Row("ü \"<>^`|\\%41%4%", "%C3%BC%20%22%3C%3E%5E%60%7C%5C%41%254%25"), Row("", ""), Row("{un.known_%41}", ""),
    ])
    func `a template expands as RFC 6570, section 3, specifies`(row: Row) throws {
        #expect(try URITemplate(row.template).expand(Self.variables) == row.expansion)
    }

    @Test(arguments: [
        ("{", 1), ("a{b", 1), ("}", 0), ("a}b", 1), ("{}", 1), ("{,a}", 1), ("{a,}", 3), ("{a,,b}", 3), ("{?}", 2),
        ("{/id*", 0), ("/id*}", 4), ("{var:prefix}", 5), ("{hello:2*}", 8), ("{??hello}", 2), ("{!hello}", 1),
        ("{=path}", 1), ("{$var}", 1), ("{|var*}", 1), ("{*keys?}", 1), ("{with space}", 5), ("{ leading}", 1),
        ("{trailing }", 9), ("{a:0}", 3), ("{a:10000}", 3), ("{a:}", 3), ("{a:-1}", 3), ("{a*:3}", 3), ("{a..b}", 3),
        ("{.}", 2), ("{a.}", 3), ("{%4}", 1), ("{%zz}", 1), ("{a%}", 2), ("{a-b}", 2), ("{ünder}", 1), ("é👩‍🚀}", 4),
        ("a\nb", 1), ("\u{7F}", 0), ("/people/{~thing}", 9), ("{{a}}", 1), ("{a}}", 3), ("{a:99999999999999999999}", 3),
    ])
    func `the error for a malformed template names the character`(template: String, position: Int) throws {
        let error = try #require(throws: ServiceError.self) { try URITemplate(template) }
        #expect(error.code == .configuration)
        #expect(error.reason.hasPrefix("malformed URI template, character \(position) (counted from 0): "))
    }

    @Test(arguments: ["{list:1}", "{+keys:1}", "{;keys:2}", "{none:1}"])
    func `a prefix of a list or of pairs is rejected`(template: String) throws {
        let error = try #require(throws: ServiceError.self) { try URITemplate(template).expand(Self.variables) }
        #expect(error.code == .configuration && error.reason.contains("prefix length"))
        #expect(!error.reason.contains("red"))
    }

    @Test func `variables can have many types`() throws {
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let link = try #require(URL(string: "https://a.example/?x=1"))
        let values: [String: any URITemplate.Variable] = [
            "int": -7, "wide": UInt64.max, "byte": Int8.min, "double": 0.1, "float": Float(2), "yes": true, "id": id,
            "link": link, "part": "abc".dropFirst(), "order": Order.latest, "level": Level.high, "levels": [Level.high],
            "map": ["b": 2, "a": 1], "some": Int?.some(4), "orders": Optional([Order.latest]),
        ]
        let text = "{int,wide,byte,double,float,yes}{/id,link,part,order,level,levels}{?map*,some,orders}"
        #expect(
            try URITemplate(text).expand(values)
                == "-7,18446744073709551615,-128,0.1,2.0,true/E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
                + "/https%3A%2F%2Fa.example%2F%3Fx%3D1/bc/latest/3/3?a=1&b=2&some=4&orders=latest")
    }

    @Test func `variable names are unique and in order`() throws {
        #expect(try URITemplate("/{b}{?a,b,c*}").variableNames == ["b", "a", "c"])
        #expect(try URITemplate("/x").variableNames == [])
    }

    @Test func `a long template and a long value expand`() throws {
        let text = String(repeating: "é%", count: 100_000)
        #expect(try URITemplate(text + "{+v:9999}").expand(["v": text]).utf8.count > 900_000)
    }
}
