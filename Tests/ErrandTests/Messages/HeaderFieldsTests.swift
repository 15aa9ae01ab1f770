import Errand
import Testing

@Suite struct HeaderFieldsTests {
    @Test func `header names ignore case, and duplicates are kept`() {
        var headers: HeaderFields = ["Set-Cookie": "a=1", "X": "1", "set-cookie": "b=2"]
        #expect(headers["SET-COOKIE"] == "a=1")
        #expect(headers.all("Set-Cookie") == ["a=1", "b=2"])
        #expect(headers.map(\.name) == ["Set-Cookie", "X", "set-cookie"])
        headers["SET-COOKIE"] = "c=3"
        #expect(headers.map(\.value) == ["c=3", "1"])
        headers["x"] = nil
        #expect(headers.count == 1)
        headers["New"] = "n"
        headers.append("new", "m")
        #expect(headers.combined("NEW") == "n, m")
        #expect(headers.combined("absent") == nil)
    }

    @Test func `an HTTPURLResponse combines duplicate headers`() throws {
        let url = try #require(URL(string: "http://a.test/"))
        let head = ResponseHead(status: 404, headers: ["Via": "1.1 a", "via": "1.1 b"], url: url)
        let response = try head.httpURLResponse()
        #expect(response.value(forHTTPHeaderField: "Via") == "1.1 a, 1.1 b")
        #expect(response.statusCode == 404 && response.url == url)
        #expect(!head.reason.isEmpty)
    }
}
