import Errand
import Testing

@Suite struct QueryMergingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let items: [QueryItem]
        let merged: String
        var testDescription: String { "\(text) with \(items.map(\.name))" }

        init(_ text: String, _ items: QueryItem..., is merged: String) {
            self.text = text
            self.items = items
            self.merged = merged
        }
    }

    private static let new = QueryItem("n", "1")

    static let added: [Row] = [
        Row("https://h/p", new, is: "https://h/p?n=1"),
        Row("https://h", new, is: "https://h?n=1"),
        Row("https://h/p?", new, is: "https://h/p?n=1"),
        Row("https://h/p#f?x", new, is: "https://h/p?n=1#f?x"),
        Row("https://h/p?a=1#f", new, is: "https://h/p?a=1&n=1#f"),
        Row("https://h/p?a=b=c&flag&e=", new, is: "https://h/p?a=b=c&flag&e=&n=1"),
        Row("https://h/p?a=%2B&b=x+y&c=%c3%A9", new, is: "https://h/p?a=%2B&b=x+y&c=%c3%A9&n=1"),
        Row("https://h/p?a=1&&b=2&", new, is: "https://h/p?a=1&&b=2&&n=1"),
        Row("https://h/p?&", new, is: "https://h/p?&&n=1"),
        Row("https://h/p?a=/?:@", new, is: "https://h/p?a=/?:@&n=1"),
        Row("https://h/p?b=1", QueryItem("é", "x y"), is: "https://h/p?b=1&%C3%A9=x%20y"),
        Row("https://user@h:8080/a%2Fb;c?x", new, is: "https://user@h:8080/a%2Fb;c?x&n=1"),
        Row("mailto:a@example.com?cc=b", new, is: "mailto:a@example.com?cc=b&n=1"),
        Row("p/q", new, is: "p/q?n=1"),
    ]

    static let replaced: [Row] = [
        Row("https://h/p?n=0", new, is: "https://h/p?n=1"),
        Row("https://h/p?n=0&a=1", new, is: "https://h/p?a=1&n=1"),
        Row("https://h/p?n=0&a=1&n&n=9=9#f", new, is: "https://h/p?a=1&n=1#f"),
        Row("https://h/p?N=0&nn=2", new, is: "https://h/p?N=0&nn=2&n=1"),
        Row("https://h/p?%6E=0", new, is: "https://h/p?n=1"),
        Row("https://h/p?x%20y=0&x+y=0", QueryItem("x y", "1"), is: "https://h/p?x+y=0&x%20y=1"),
        Row("https://h/p?x+y=0", QueryItem("x+y", "1"), is: "https://h/p?x%2By=1"),
        Row(
            "https://h/p?a%5b%5D=0&a=5", QueryItem("a[]", "1"), QueryItem("a[]", "2"),
            is: "https://h/p?a=5&a%5B%5D=1&a%5B%5D=2"),
        Row("https://h/p?%C3%A9=0&e%CC%81=0", QueryItem("é", "1"), is: "https://h/p?e%CC%81=0&%C3%A9=1"),
        Row("https://h/p?%FF=0&%EF%BF%BD=1", QueryItem("\u{FFFD}", "2"), is: "https://h/p?%FF=0&%EF%BF%BD=2"),
        Row("https://h/p?a&=0&&", QueryItem("", "1"), is: "https://h/p?a&&&=1"),
    ]

    @Test(arguments: added + replaced)
    func `new items follow the items that remain`(row: Row) throws {
        let url = try #require(URL(exactly: row.text))
        #expect(try QueryItems(row.items).merge(into: url).absoluteString == row.merged)
    }

    @Test(arguments: ["https://h/p", "https://h/p?", "https://h/p?a=b=c&&x+y&%2b#f", "https://h?#", "../p?x"])
    func `a URL is unchanged if no items are merged`(text: String) throws {
        let url = try #require(URL(string: text, relativeTo: URL(string: "https://base/a/b")))
        let items = try QueryEncoding.standard.items(from: ["a": nil as Int?, "b": [Int]()])
        let merged = try items.merge(into: url)
        #expect(merged == url && merged.relativeString == text)
    }

    @Test func `a relative URL with a base becomes absolute`() throws {
        let url = try #require(URL(string: "c?x=1", relativeTo: URL(string: "https://h/a/b?y=2")))
        #expect(try QueryItems([Self.new]).merge(into: url).absoluteString == "https://h/a/c?x=1&n=1")
    }

    @Test func `merging the same items twice changes nothing`() throws {
        let url = try #require(URL(string: "https://h/p?a=1#f"))
        let items = try QueryEncoding(arrays: .brackets).items(from: ["t": ["x&y", "+"], "u v": ["é"]])
        let once = try items.merge(into: url)
        #expect(once.absoluteString == "https://h/p?a=1&t%5B%5D=x%26y&t%5B%5D=%2B&u%20v%5B%5D=%C3%A9#f")
        #expect(try items.merge(into: once) == once)
    }
}
