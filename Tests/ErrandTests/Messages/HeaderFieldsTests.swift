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

    @Test(
        arguments: [0, 3, 30, 31, 32, 200],
        [[], [("Via", "1.1 a"), ("VIA", "1.1 b")], [("X-\u{E9}", "1"), ("X-e\u{301}", "2")]])
    func `an HTTPURLResponse combines repeated headers and keeps all others`(
        count: Int, repeated: [(String, String)]
    ) throws {
        let url = try #require(URL(string: "http://a.test/"))
        let fields = (0..<count).map { ("X-Field-\($0)", "\($0)") } + repeated
        let headers = HeaderFields(fields.map { HeaderFields.Field($0.0, $0.1) })
        let response = try ResponseHead(status: 200, headers: headers, url: url).httpURLResponse()
        #expect(response.allHeaderFields.count == count + (repeated.isEmpty ? 0 : 1))
        if let (name, value) = repeated.first {
            #expect(response.value(forHTTPHeaderField: name) == "\(value), \(repeated[1].1)")
        }
        for number in 0..<count { #expect(response.value(forHTTPHeaderField: "x-field-\(number)") == "\(number)") }
    }
}
