import Errand
import Testing

@Suite struct HeaderFieldsTests {
    @Test func `header names ignore case, and duplicates are kept`() {
        var fields: HeaderFields = ["Set-Cookie": "a=1", "X": "1", "set-cookie": "b=2"]
        #expect(fields["SET-COOKIE"] == "a=1")
        #expect(fields.all("Set-Cookie") == ["a=1", "b=2"])
        #expect(fields.map(\.name) == ["Set-Cookie", "X", "set-cookie"])
        fields["SET-COOKIE"] = "c=3"
        #expect(fields.map(\.value) == ["c=3", "1"])
        fields["x"] = nil
        #expect(fields.count == 1)
        fields["New"] = "n"
        fields.append("new", "m")
        #expect(fields.combined("NEW") == "n, m")
        #expect(fields.combined("absent") == nil)
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
