import Errand
import Testing

@Suite struct FormBodyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let items: [QueryItem]
        let body: String

        init(_ name: String, _ items: QueryItem..., is body: String) {
            testDescription = name
            self.items = items
            self.body = body
        }
    }

    static let rows: [Row] = [
        Row("no items", is: ""),
        Row("characters that stay", QueryItem("a", "AZaz09*-._"), is: "a=AZaz09*-._"),
        Row("a tilde", QueryItem("a", "~"), is: "a=%7E"),
        Row("a space", QueryItem("a b", "c d"), is: "a+b=c+d"),
        Row("a plus sign", QueryItem("a", "1+1"), is: "a=1%2B1"),
        Row("a percent sign", QueryItem("a", "%20"), is: "a=%2520"),
        Row("separators", QueryItem("a&b", "c=d;e"), is: "a%26b=c%3Dd%3Be"),
        Row("reserved characters", QueryItem("a", ":/?#[]@!$'()"), is: "a=%3A%2F%3F%23%5B%5D%40%21%24%27%28%29"),
        Row("non-ASCII letters", QueryItem("é", "東"), is: "%C3%A9=%E6%9D%B1"),
        Row("an emoji", QueryItem("a", "🐈"), is: "a=%F0%9F%90%88"),
        Row("a line break", QueryItem("a", "1\r\n2"), is: "a=1%0D%0A2"),
        Row(
            "the order and duplicates", QueryItem("b", "1"), QueryItem("a", "2"), QueryItem("b", "3"),
            is: "b=1&a=2&b=3"),
        Row("an empty value and an empty name", QueryItem("a", ""), QueryItem("", "b"), is: "a=&=b"),
        Row("a list with commas", QueryItem("a", elements: ["x,y", "z"]), is: "a=x%2Cy,z"),
        Row("brackets of nested names", QueryItem("a[b]", "1"), is: "a%5Bb%5D=1"),
    ]

    @Test(arguments: rows)
    func `items are encoded as the expected body`(row: Row) {
        #expect(String(decoding: QueryItems(row.items).formBody, as: UTF8.self) == row.body)
    }

    @Test func `a form body is encoded from the same items as a query`() throws {
        let items = try QueryEncoding.standard.items(from: ["grant_type": "refresh_token", "scope": "read write"])
        #expect(String(decoding: items.formBody, as: UTF8.self) == "grant_type=refresh_token&scope=read+write")
        #expect(items.query == "grant_type=refresh_token&scope=read%20write")
    }
}
