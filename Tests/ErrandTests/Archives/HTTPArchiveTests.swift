import Errand
import Foundation
import Testing

@Suite struct HTTPArchiveTests {
    private static let date = Date(timeIntervalSince1970: 1_700_000_000.5)

    static func entry(_ change: (inout HTTPArchive.Entry) -> Void = { _ in }) -> HTTPArchive.Entry {
        var entry = HTTPArchive.Entry(
            date: date, duration: .milliseconds(30), wait: .milliseconds(20),
            request: HTTPArchive.Request(
                method: "POST", url: "https://api.example/v1/photos?page=2&q=a%20b", headers: ["Accept": "*/*"],
                body: HTTPArchive.Body(Data("{\"a\":1}".utf8), mediaType: "application/json")),
            response: HTTPArchive.Response(
                status: 200, headers: ["Content-Type": "text/plain", "Set-Cookie": "a=1", "set-cookie": "b=2"],
                body: HTTPArchive.Body(Data("hello".utf8), mediaType: "text/plain"),
                chunks: [.init(size: 2, moment: .milliseconds(1)), .init(size: 3, moment: .microseconds(2_500))]))
        change(&entry)
        return entry
    }

    @Test(arguments: [
        entry(),
        entry {
            $0.response = nil; $0.failure = "timeout: no response"
        },
        entry { $0.request.body = nil }, entry { $0.response?.chunks = [] },
        entry { $0.response?.body = HTTPArchive.Body(Data([0xFF, 0x00, 0xFE]), mediaType: "image/png") },
        entry { $0.request.body = HTTPArchive.Body(Data([0xC3, 0x28])) },
        entry { $0.response?.body.size = 100 },
        entry { $0.response?.body = HTTPArchive.Body(Data("\u{FEFF}\0é".utf8)) },
        entry { $0.failure = "connection-lost: truncated" },
    ]) func `an archive is read as it was written`(entry: HTTPArchive.Entry) throws {
        let archive = HTTPArchive([entry, entry])
        #expect(try HTTPArchive(data: archive.data) == archive)
    }

    @Test func `a file has the members that HAR requires`() throws {
        let json = try #require(JSONSerialization.jsonObject(with: HTTPArchive([Self.entry()]).data) as? [String: Any])
        let log = try #require(json["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2")
        let creator = try #require(log["creator"] as? [String: Any])
        #expect(creator["name"] is String && creator["version"] is String)
        let entry = try #require((log["entries"] as? [[String: Any]])?.first)
        #expect(entry["startedDateTime"] as? String == "2023-11-14T22:13:20.500Z")
        #expect(entry["time"] as? Double == 30 && entry["cache"] is [String: Any])
        let timings = try #require(entry["timings"] as? [String: Double])
        #expect(timings == ["send": 0, "wait": 20, "receive": 10])
        let request = try #require(entry["request"] as? [String: Any])
        #expect(
            Set(["method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"])
                .isSubset(of: request.keys))
        #expect((request["queryString"] as? [[String: String]])?.last == ["name": "q", "value": "a b"])
        let response = try #require(entry["response"] as? [String: Any])
        #expect(
            Set(["status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL"])
                .isSubset(of: response.keys))
    }

    /// The structure of an export of Chromium.
    private static let browser = #"""
        {"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"pages":[],"entries":[{
        "_initiator":{"type":"other"},"startedDateTime":"2026-01-02T03:04:05.678Z","time":-1,
        "request":{"method":"GET","url":"https://a.example/","httpVersion":"http/2.0","headers":[
          {"name":":method","value":"GET"},{"name":"accept","value":"*/*"}],"queryString":[],"cookies":[],
          "headersSize":-1,"bodySize":0,"postData":{"mimeType":"application/x-www-form-urlencoded",
          "params":[{"name":"a","value":"1"},{"name":"b","value":"2"}]}},
        "response":{"status":200,"statusText":"","httpVersion":"http/2.0","headers":[
          {"name":"set-cookie","value":"a=1\nb=2"}],"cookies":[],
          "content":{"size":3,"mimeType":"image/png","text":"AAEC","encoding":"base64"},"redirectURL":"",
          "headersSize":-1,"bodySize":-1,"_transferSize":99,"_error":null},
        "cache":{},"timings":{"blocked":1.5,"dns":-1,"ssl":-1,"connect":-1,"send":0.1,"wait":7,"receive":2}}]}}
        """#

    @Test func `an export of a browser is read`() throws {
        for data in [Data(Self.browser.utf8), Data("\u{FEFF}\(Self.browser)".utf8)] {
            let entry = try #require(HTTPArchive(data: data).entries.first)
            #expect(entry.request.headers == ["accept": "*/*"])
            #expect(entry.request.body?.bytes == Data("a=1&b=2".utf8))
            #expect(entry.response?.headers == ["set-cookie": "a=1", "set-cookie": "b=2"])
            #expect(entry.response?.body.bytes == Data([0, 1, 2]) && entry.response?.body.isComplete == true)
            #expect(entry.wait == .milliseconds(7) && entry.duration == .zero)
        }
    }

    @Test(arguments: [
        ("", "the body is not valid JSON"), ("[]", "expected an object, found an array"), ("{}", "log is missing"),
        (#"{"log":{"entries":[{}]}}"#, "log.entries[0].startedDateTime is missing"),
        (browser.replacing("2026-01-02T03:04:05.678Z", with: "yesterday"), "expected an ISO 8601 date"),
        (browser.replacing("\"status\":200", with: "\"status\":99"), "expected a status from 100 to 999, found 99"),
        (browser.replacing("AAEC", with: "A"), "expected a body in base64"),
        (browser.replacing("base64", with: "rot13"), "expected the encoding base64 or none, found rot13"),
    ]) func `other data is an error`(text: String, reason: String) {
        let error = #expect(throws: ServiceError.self) { try HTTPArchive(data: Data(text.utf8)) }
        #expect(error?.code == .decoding && error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test func `a file is written and read`() throws {
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appending(path: "\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let archive = HTTPArchive([Self.entry()])
        try archive.write(to: file)
        #expect(try HTTPArchive(contentsOf: file) == archive)
        let error = #expect(throws: ServiceError.self) {
            try HTTPArchive(contentsOf: folder.appending(path: "none.har"))
        }
        #expect(error?.code == .file)
    }
}
