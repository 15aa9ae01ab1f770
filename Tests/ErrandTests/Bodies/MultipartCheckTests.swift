import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct MultipartCheckTests {
    private func request(_ body: MultipartBody) throws -> APIRequest {
        var head = URLRequest(url: try #require(URL(string: "http://api.test/")))
        head.httpMethod = "POST"
        return APIRequest(head: head, body: .multipart(body))
    }

    /// Checks that a body is refused before it is sent, by each function that reads it.
    private func expectRefusal(_ body: MultipartBody, _ reason: String) async throws {
        let request = try request(body)
        let errors = [
            try #require(throws: ServiceError.self) { try request.checkSendable() },
            try #require(throws: ServiceError.self) { try request.body.length() },
            try await #require(throws: ServiceError.self) { try await request.body.bytes() },
        ]
        for error in errors { #expect(error.code == .encoding && error.reason.contains(reason), "\(error)") }
        #expect(request.body.data == nil)
        let script = ScriptedSession([])
        await #expect(throws: ServiceError.self) { try await script.send(request) }
        #expect(script.recorded.isEmpty)
    }

    @Test(arguments: ["\r\nX-Forged: 1", "\n", "\r", "\0", "\u{1F}", "\u{7F}", "\u{0B}"])
    func `no argument can forge a header of a part`(text: String) async throws {
        let rows: [(part: MultipartBody.Part, reason: String)] = [
            (.data(Data(), name: "a", contentType: "text/plain\(text)"), "content type without control characters"),
            (
                MultipartBody.Part(name: "a", headers: ["X-A": "s3cret\(text)"], content: .text("")),
                "invalid value of X-A"
            ),
            (MultipartBody.Part(name: "a", headers: ["X\(text)": ""], content: .text("")), "expected a token"),
        ]
        for row in rows {
            try await expectRefusal(MultipartBody([.field("", name: "x"), row.part]), "invalid part 2")
            try await expectRefusal(MultipartBody([row.part]), row.reason)
            let error = #expect(throws: ServiceError.self) { try request(MultipartBody([row.part])).checkSendable() }
            #expect(error?.reason.contains("s3cret") == false)
        }
        // Names are escaped instead. NUL and other control characters are sent as browsers send them.
        let sent = try await request(MultipartBody([.field("v", name: text)], boundary: "B")).body.bytes()
        #expect(String(decoding: sent, as: UTF8.self).components(separatedBy: "\r\n").count == 6)
    }

    @Test func `a known boundary cannot forge a part behind a large one`() async throws {
        let forged = "a\r\n--B\r\nContent-Disposition: form-data; name=\"role\"\r\n\r\nadmin"
        let large = MultipartBody.Part.data(Data(count: 70_000), name: "picture", fileName: "a.png")
        let padded = MultipartBody.Part.data(Data(count: 70_000) + Data(forged.utf8), name: "picture")
        for parts in [[large, .field(forged, name: "comment")], [padded]] {
            try await expectRefusal(MultipartBody(parts, boundary: "B"), "the multipart boundary occurs in a part")
        }
    }

    @Test(arguments: ["Content-Disposition", "content-type", "CONTENT-LENGTH"])
    func `a header that the body sets is refused`(name: String) async throws {
        let headers = HeaderFields([HeaderFields.Field(name, "1")])
        let part = MultipartBody.Part(name: "a", headers: headers, content: .text(""))
        try await expectRefusal(MultipartBody([part]), "\(name) is set by the body")
    }

    @Test(arguments: ["", String(repeating: "b", count: 71), "b ", "é", "b\r\nX: 1", "b\"", "b;c", "b\\", "b%"])
    func `a boundary that RFC 2046 does not allow is refused`(boundary: String) async throws {
        let body = MultipartBody([.field("v", name: "n")], boundary: boundary)
        try await expectRefusal(body, "invalid multipart boundary")
        #expect(try request(body).headers["Content-Type"] == nil)
    }

    @Test(arguments: [
        ("B", "B"), ("a b", "\"a b\""), ("'()+_,-./:=?", "\"'()+_,-./:=?\""), ("a.b-c_d+e'f", "a.b-c_d+e'f"),
    ])
    func `the content type quotes a boundary that is not a token`(boundary: String, shown: String) throws {
        let request = try request(MultipartBody([], boundary: boundary))
        #expect(request.headers["Content-Type"] == "multipart/form-data; boundary=\(shown)")
        #expect(throws: Never.self) { try request.checkSendable() }
    }

    @Test func `a given boundary that occurs in a part is refused`() async throws {
        let parts: [MultipartBody.Part] = [
            .field("a\r\n--B--", name: "n"), .data(Data("--B".utf8), name: "n"),
            MultipartBody.Part(name: "n", headers: ["--B": ""], content: .text("")),
        ]
        for part in parts {
            try await expectRefusal(MultipartBody([.field("x", name: "n"), part], boundary: "B"), "occurs in a part")
        }
        let fine = MultipartBody([.field("-B B -", name: "--B"), .field("-B", name: "n")], boundary: "B")
        #expect(throws: Never.self) { try request(fine).checkSendable() }
    }
}
