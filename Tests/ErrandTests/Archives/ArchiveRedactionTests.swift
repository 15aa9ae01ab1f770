import Errand
import Foundation
import TestSupport
import Testing

@Suite struct ArchiveRedactionTests {
    private static let secret = "s3cr3t-canary-42"

    /// Returns an entry with a secret in one position.
    private static let positions: [(String, HTTPArchive.Entry)] = {
        func request(_ url: String, _ headers: HeaderFields = [:], body: String? = nil, type: String = "")
            -> HTTPArchive.Entry
        {
            HTTPArchive.Entry(
                date: Date(timeIntervalSince1970: 0),
                request: HTTPArchive.Request(
                    url: url, headers: headers, body: body.map { HTTPArchive.Body(Data($0.utf8), mediaType: type) }),
                response: HTTPArchive.Response(
                    status: 200, headers: ["X-Echo": headers.first?.value ?? ""],
                    body: HTTPArchive.Body(Data("echo \(headers.first?.value ?? "")".utf8))))
        }
        func request(_ headers: HeaderFields = [:], body: String? = nil, type: String = "") -> HTTPArchive.Entry {
            request("https://a.example/", headers, body: body, type: type)
        }
        func response(_ headers: HeaderFields = [:], body: String = "", type: String = "") -> HTTPArchive.Entry {
            HTTPArchive.Entry(
                date: Date(timeIntervalSince1970: 0), request: HTTPArchive.Request(url: "https://a.example/"),
                response: HTTPArchive.Response(
                    status: 200, headers: headers, body: HTTPArchive.Body(Data(body.utf8), mediaType: type)))
        }
        let multipart = "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n--b--\r\n"
        let nested =
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: application/json\r\n\r\n"
            + "{\"token\":\"\(secret)\"}\r\n--b--\r\n"
        return [
            ("header", request(["Authorization": "Bearer \(secret)"])), ("API key", request(["X-Api-Key": secret])),
            ("cookie", request(["Cookie": "a=1; session=\(secret)"])),
            ("user", request("https://user:\(secret)@a.example/")),
            ("query", request("https://a.example/?api_key=\(secret)")),
            ("fragment", request("https://a.example/#access_token=\(secret)")),
            ("referer", request(["Referer": "https://b.example/?token=\(secret)"])),
            ("form", request(body: "a=1&password=\(secret)", type: "application/x-www-form-urlencoded")),
            ("JSON", request(body: "{\"a\":[{\"password\":\"\(secret)\"}]}", type: "application/json")),
            ("multipart", request(body: multipart, type: "multipart/form-data; boundary=b")),
            ("JSON in multipart", request(body: nested, type: "multipart/form-data; boundary=\"b\"")),
            ("XML", request(body: "<a><ns:password x='1'>\(secret)</ns:password></a>", type: "text/xml")),
            ("attribute", request(body: "<a token=\"\(secret)\"/>", type: "application/xml")),
            ("nested XML", request(body: "<password><b>\(secret)</b></password>", type: "text/xml")),
            ("Set-Cookie", response(["Set-Cookie": "id=\(secret)"])),
            ("Location", response(["Location": "/next?code=\(secret)"])),
            ("Link", response(["Link": "<https://a.example/?access_token=\(secret)>; rel=next"])),
            ("token response", response(body: "{\"access_token\":\"\(secret)\"}", type: "application/json")),
            ("JSON lines", response(body: "{\"a\":1}\n{\"secret\":\"\(secret)\"}\n", type: "application/x-ndjson")),
            ("event", response(body: "event: a\ndata: {\"token\":\"\(secret)\"}\n\n", type: "text/event-stream")),
            ("text", response(body: "see https://a.example/?token=\(secret) now", type: "text/plain")),
        ]
    }()

    @Test(arguments: positions.indices) func `a secret is masked in each position`(index: Int) throws {
        let (name, entry) = Self.positions[index]
        let original = HTTPArchive([entry])
        #expect(String(decoding: original.data, as: UTF8.self).contains(Self.secret))
        let text = String(decoding: original.redacted().data, as: UTF8.self)
        #expect(!text.contains(Self.secret), "\(name): \(text)")
        #expect(try HTTPArchive(data: original.redacted().data) == original.redacted())
        #expect(original.redacted().redacted() == original.redacted(), "\(name)")
    }

    @Test func `other values and bytes do not change`() {
        let entry = HTTPArchiveTests.entry { $0.response?.headers = ["Content-Type": "text/plain"] }
        #expect(HTTPArchive([entry]).redacted().entries == [entry])
        var binary = entry
        for bytes in [[0xFF, 0x3D, 0x00], [0xFE, 0xFF, 0x00, 0x61], [0x61, 0xC3]] as [[UInt8]] {
            binary.response?.body = HTTPArchive.Body(Data(bytes), size: 4)
            #expect(HTTPArchive([binary]).redacted().entries == [binary])
        }
    }

    @Test func `hidden members of JSON keep their types`() {
        let text =
            #"{"code":17,"pin":-1234 ,"token":true,"key":null,"secrets":["a"],"auth":{"b":1},"otp":"1","a":9999}"#
        let entry = HTTPArchiveTests.entry { $0.response?.body = HTTPArchive.Body(Data(text.utf8)) }
        let response = HTTPArchive([entry]).redacted().entries.first?.response
        let masked = response.map { String(decoding: $0.body.bytes, as: UTF8.self) }
        #expect(
            masked
                == #"{"code":17,"pin":0 ,"token":true,"key":null,"secrets":["REDACTED"],"auth":{"b":1},"otp":"REDACTED","a":9999}"#
        )
    }

    @Test(arguments: [
        (#"{"value":"secret-1","name":"DB_PASSWORD"}"#, #"{"value":"REDACTED","name":"DB_PASSWORD"}"#),
        (#"{"VALUE":["secret-1"],"Key":"apiKey"}"#, #"{"VALUE":["REDACTED"],"Key":"REDACTED"}"#),
        (#"{"value":"5","key":"sk_secret_9f8a7b"}"#, #"{"value":"REDACTED","key":"REDACTED"}"#),
        (#"{"key":"sk_secret_9f8a7b","value":"5"}"#, #"{"key":"REDACTED","value":"REDACTED"}"#),
        (
            "{\"password\":\"abc{\n\"name\":\"DB_PASSWORD\",\"value\":\"secret-1\"}",
            "{\"password\":\"REDACTED\n\"name\":\"DB_PASSWORD\",\"value\":\"REDACTED\"}"
        ),
        (
            #"[{"value":"secret-1"},{"value":{"name":"token"},"x":[{"value":"b"}],"name":"color"}]"#,
            #"[{"value":"secret-1"},{"value":{"name":"token"},"x":[{"value":"b"}],"name":"color"}]"#
        ),
        (
            #"{"value":"secret-1","x":{"name":"token","value":"secret-2"}}"#,
            #"{"value":"secret-1","x":{"name":"token","value":"REDACTED"}}"#
        ),
        (#"a {"value":"secret-1", "name":"token"} b"#, #"a {"value":"REDACTED", "name":"token"} b"#),
        (#"{"value":"secret-1","x":"y","key":"apiKey"}"#, #"{"value":"REDACTED","x":"y","key":"REDACTED"}"#),
    ])
    func `a hidden name in any position hides the value of its object`(text: String, expected: String) {
        let entry = HTTPArchiveTests.entry {
            $0.response?.body = HTTPArchive.Body(Data(text.utf8), mediaType: "application/json")
        }
        let body = HTTPArchive([entry]).redacted().entries.first?.response?.body
        #expect(body.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
    }

    @Test func `usual words with hidden names are masked only at their own position`() {
        let body = #"{"created":1,"sort":"created","key":"created","list":["created"]}"#
        let entry = HTTPArchiveTests.entry {
            $0.request.url = "https://a.example/created?sortKey=created&order=created"
            $0.request.headers = ["Cookie": "theme=created"]
            $0.response?.body = HTTPArchive.Body(Data(body.utf8), mediaType: "application/json")
        }
        let masked = HTTPArchive([entry]).redacted().entries.first
        #expect(masked?.request.url == "https://a.example/created?sortKey=%E2%80%B9redacted%E2%80%BA&order=created")
        #expect(
            masked?.response.map { String(decoding: $0.body.bytes, as: UTF8.self) }
                == #"{"created":1,"sort":"created","key":"REDACTED","list":["created"]}"#)
    }

    @Test func `property lists keep their keys, and short members their names`() {
        let list =
            "<plist><dict><key>CFBundleName</key><string>A</string><key>token</key><string>b</string></dict></plist>"
        let json = #"{"password":"access_count_of_day","access_count_of_day":1,"access_count":2}"#
        for (text, type, expected) in [
            (
                list, "application/xml",
                "<plist><dict><key>CFBundleName</key><string>A</string><key>token</key>"
                    + "<string>‹redacted›</string></dict></plist>"
            ),
            (
                json, "application/json",
                #"{"password":"REDACTED","‹redacted›":1,"access_count":2}"#
            ),
        ] {
            let entry = HTTPArchiveTests.entry {
                $0.response?.body = HTTPArchive.Body(Data(text.utf8), mediaType: type)
            }
            let body = HTTPArchive([entry]).redacted().entries.first?.response?.body
            #expect(body.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
        }
    }

    private static let units: [String] = [
        "\"", "{\"value\":", "<a b=", "token: ", "\\\"", "eyJ.", "\"a\":", "{\"token\":", "[", "<token>",
        "<!--", "//a@", "token=", "a=b&", "\\", "%25", "\n", "1234,", "🇦", "&amp;",
    ]

    @Test(arguments: TestEnvironment.sample(units)) func `redaction takes time linear in the size`(unit: String)
        async throws
    {
        let growth = try await ProcessorTime.growth(ofRepeating: unit) { text in
            let entry = HTTPArchiveTests.entry {
                $0.request.headers = ["X-Api-Key": "a-secret-value"]
                $0.response?.body = HTTPArchive.Body(Data(text.utf8), mediaType: "text/plain")
            }
            _ = HTTPArchive([entry]).redacted()
        }
        #expect(growth < 64)
    }
}
