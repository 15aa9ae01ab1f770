import Errand
import TestSupport
import Testing

@Suite struct LinkHeaderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let header: String
        let links: [[String]]
        var testDescription: String { header }

        /// Creates a row from links. Each link is a target followed by its relations.
        init(_ header: String, _ links: [String]...) {
            self.header = header
            self.links = links
        }
    }

    static let rows: [Row] = [
        Row(#"</p2>; rel="next""#, ["/p2", "next"]),
        Row("</p2>;rel=next", ["/p2", "next"]),
        Row("  </p2>  ;  rel  =  next  ", ["/p2", "next"]),
        Row("</p2>;\trel=\"next\"\t", ["/p2", "next"]),
        Row("</p2>; REL=NEXT", ["/p2", "next"]),
        Row(#"</p2>; rel="next last""#, ["/p2", "next", "last"]),
        Row(#"</p2>; rel=" next   LAST ""#, ["/p2", "next", "last"]),
        Row(#"</p2>; rel="first"; rel="next""#, ["/p2", "first"]),
        Row(#"</a>; rel="prev", </b>; rel="next""#, ["/a", "prev"], ["/b", "next"]),
        Row(#"</a>; rel="prev",</b>; rel="next""#, ["/a", "prev"], ["/b", "next"]),
        Row(#"</a>; rel="prev",, ,</b>; rel="next","#, ["/a", "prev"], ["/b", "next"]),
        Row(#"</a?x=1,2;3>; rel="next", </b>; rel="last""#, ["/a?x=1,2;3", "next"], ["/b", "last"]),
        Row(#"</a>; title="x, <y>; rel=\"prev\""; rel="next", </b>; rel=last"#, ["/a", "next"], ["/b", "last"]),
        Row(#"</a>; title="back\\"; rel="next""#, ["/a", "next"]),
        Row(#"</a>; title="open; rel=next, </b>; rel=last"#, ["/a"]),
        Row(#"</a>; title="end\"#, ["/a"]),
        Row("</a>; rel", ["/a"]),
        Row("</a>; rel=", ["/a"]),
        Row("</a>; =next; rel=last", ["/a", "last"]),
        Row("</a>;;; ; rel=next;", ["/a", "next"]),
        Row("</a>", ["/a"]),
        Row("<>; rel=next", ["", "next"]),
        Row("< /a >; rel=next", ["/a", "next"]),
        Row("</a> rel=next, </b>; rel=last", ["/a"], ["/b", "last"]),
        Row("</a; rel=next"),
        Row("/a; rel=next, </b>; rel=last", ["/b", "last"]),
        Row(#"junk "</x>; rel=next, " more, </b>; rel=last"#, ["/b", "last"]),
        Row("</a>; rel=\"next\",\r\n </b>; rel=\"last\"", ["/a", "next"], ["/b", "last"]),
        Row("<<http://h/p>; rel=next", ["<http://h/p", "next"]),
        Row("</ü>; rel=next", ["/ü", "next"]),
        Row("</a>; rel=\"http://Example.net/Foo\"", ["/a", "http://example.net/foo"]),
        Row(""), Row(","), Row(";"), Row("<"), Row(">"), Row("\""), Row("\\"), Row("\0"),
    ]

    @Test(arguments: rows)
    func `a header value is parsed into targets with relations`(row: Row) {
        #expect(LinkHeader(row.header).links.map { [$0.target] + $0.relations } == row.links)
    }

    struct Resolution: Sendable, CustomTestStringConvertible {
        let target: String
        let url: String?
        var testDescription: String { target }

        init(_ target: String, _ url: String?) {
            self.target = target
            self.url = url
        }
    }

    @Test(arguments: [
        Resolution("https://api.example/p?page=2&q=a%20b+c", "https://api.example/p?page=2&q=a%20b+c"),
        Resolution("https://other.example:8443/p", "https://other.example:8443/p"),
        Resolution("/p?page=2", "http://h:8080/p?page=2"),
        Resolution("?page=2", "http://h:8080/v1/photos?page=2"),
        Resolution("other?page=2", "http://h:8080/v1/other?page=2"),
        Resolution("../users", "http://h:8080/users"),
        Resolution("../../../users", "http://h:8080/users"),
        Resolution("//cdn.example/p", "http://cdn.example/p"),
        Resolution("", "http://h:8080/v1/photos?page=1"),
        Resolution("?q=a b", "http://h:8080/v1/photos?q=a%20b"),
        Resolution("?q=ü&r=%C3%BC", "http://h:8080/v1/photos?q=%C3%BC&r=%C3%BC"),
        Resolution("?q=%&r=%zz", "http://h:8080/v1/photos?q=%25&r=%25zz"),
        Resolution("http://[::1", nil),
    ])
    func `a target is resolved against the request URL`(row: Resolution) throws {
        let base = try #require(URL(string: "http://h:8080/v1/photos?page=1"))
        let link = LinkHeader.Link(target: row.target, parameters: [])
        #expect(link.url(relativeTo: base)?.absoluteString == row.url)
    }

    @Test func `several headers form one list in order`() {
        var headers: HeaderFields = ["Link": "</a>; rel=first"]
        headers.append("link", "</b>; rel=next, </c>; rel=last")
        let header = LinkHeader(headers)
        #expect(header.links.map(\.target) == ["/a", "/b", "/c"])
        #expect(header.first("NEXT")?.target == "/b" && header.first("up") == nil)
    }

    @Test func `a link with another anchor is ignored`() {
        #expect(LinkHeader("</x>; rel=next; anchor=\"/other\", </b>; rel=next").first("next")?.target == "/b")
    }

    @Test(
        arguments: [
            (#"</a>; title="plain""#, "plain"), (#"</a>; title="a\"b""#, "a\"b"),
            ("</a>; title=plain; title*=UTF-8'de'n%c3%a4chstes%20Kapitel", "nächstes Kapitel"),
            ("</a>; title=plain; title*=latin1'de'n%e4", "plain"), ("</a>; title=plain; title*=UTF-8'de'%ff", "plain"),
            ("</a>; rel=next", nil),
        ] as [(String, String?)])
    func `a readable extended title takes precedence`(header: String, title: String?) {
        #expect(LinkHeader(header).links.first?.title == title)
    }

    @Test func `the number and length of links are limited`() {
        let many = String(repeating: "</a>; rel=x,", count: 3_000)
        #expect(LinkHeader(many).links.count == LinkHeader.linkLimit)
        let long = "</a>; rel=next, </" + String(repeating: "b", count: LinkHeader.byteLimit) + ">; rel=last"
        #expect(LinkHeader(long).links.map(\.target) == ["/a"])
        #expect(LinkHeader(String(repeating: "<", count: LinkHeader.byteLimit * 2)).links.isEmpty)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `random text can be parsed`(seed: UInt64) {
        var random = SplitMix(state: seed)
        let alphabet = Array("<>;,=\"\\ \t\r\nrel*'%ü\0/?#[]:@next".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...200, using: &random) {
            text.append(alphabet.randomElement(using: &random) ?? "<")
        }
        let header = LinkHeader(String(text))
        let base = URL(filePath: "/")
        #expect(header.links.count <= 200)
        for link in header.links { _ = (link.relations, link.title, link.url(relativeTo: base)) }
    }
}
