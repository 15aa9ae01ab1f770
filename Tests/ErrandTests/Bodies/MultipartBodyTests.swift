import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct MultipartBodyTests {
    /// Returns the bytes of a body as a text.
    private func text(_ parts: [MultipartBody.Part], mode: MultipartBody.Mode = .data) async throws -> String {
        let body = RequestBody.multipart(MultipartBody(parts, mode: mode, boundary: "B"))
        let bytes = try await body.bytes()
        #expect(body.data.map { $0 == bytes } != false)
        #expect(try body.length().map { $0 == bytes.count } != false)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `fields, files and streams have the bytes of RFC 7578`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.file(Data("PNG".utf8), name: "ada.png")
        let headers: HeaderFields = ["X-Part": "7"]
        let parts: [MultipartBody.Part] = [
            .field("Ada", name: "title"), .field("", name: "title"),
            .file(file, name: "picture", contentType: "image/png"), .file(file, name: "p", fileName: "other"),
            .data(Data("{}".utf8), name: "j", contentType: "application/json"),
            .data(Data("x".utf8), name: "f", fileName: "f.bin"),
            .stream(name: "s", fileName: "s.txt", contentType: "text/plain") {
                AsyncParts([Data("ab".utf8), Data("c".utf8)])
            },
            MultipartBody.Part(name: "h", headers: headers, content: .text("z")),
        ]
        let expected = [
            "--B", #"Content-Disposition: form-data; name="title""#, "", "Ada",
            "--B", #"Content-Disposition: form-data; name="title""#, "", "",
            "--B", #"Content-Disposition: form-data; name="picture"; filename="ada.png""#, "Content-Type: image/png",
            "", "PNG",
            "--B", #"Content-Disposition: form-data; name="p"; filename="other""#,
            "Content-Type: application/octet-stream", "", "PNG",
            "--B", #"Content-Disposition: form-data; name="j""#, "Content-Type: application/json", "", "{}",
            "--B", #"Content-Disposition: form-data; name="f"; filename="f.bin""#,
            "Content-Type: application/octet-stream", "", "x",
            "--B", #"Content-Disposition: form-data; name="s"; filename="s.txt""#, "Content-Type: text/plain", "",
            "abc",
            "--B", #"Content-Disposition: form-data; name="h""#, "X-Part: 7", "", "z",
            "--B--", "",
        ]
        #expect(try await text(parts) == expected.joined(separator: "\r\n"))
        #expect(try await text([]) == "--B--\r\n")
    }

    struct Escape: Sendable, CustomTestStringConvertible {
        let given: String
        let data: String
        let form: String
        var testDescription: String { given.debugDescription }
    }

    @Test(arguments: [
        Escape(given: "a\nb", data: "a%0Ab", form: "a%0D%0Ab"), Escape(given: "a\rb", data: "a%0Db", form: "a%0D%0Ab"),
        Escape(given: "\r\n\n\r", data: "%0D%0A%0A%0D", form: "%0D%0A%0D%0A%0D%0A"),
        Escape(given: #"a"b\'%22"#, data: #"a%22b\'%22"#, form: #"a%22b\'%22"#),
        Escape(given: "né 字\0\u{7F}", data: "né 字\0\u{7F}", form: "né 字\0\u{7F}"),
        Escape(given: "", data: "", form: ""),
        Escape(given: "\u{301}\"\u{301}", data: "\u{301}%22\u{301}", form: "\u{301}%22\u{301}"),
    ])
    func `names are escaped, and the form mode changes line breaks`(row: Escape) async throws {
        let parts: [MultipartBody.Part] = [
            .field(row.given, name: row.given), .data(Data(row.given.utf8), name: row.given, fileName: row.given),
        ]
        let modes: [(mode: MultipartBody.Mode, name: String)] = [(.data, row.data), (.form, row.form)]
        for (mode, name) in modes {
            let isChanged = mode == .form && name.contains("%0D%0A")
            let value = isChanged ? name.replacing("%0D%0A", with: "\r\n") : row.given
            let expected = [
                "--B", "Content-Disposition: form-data; name=\"\(name)\"", "", value,
                "--B", "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(row.data)\"",
                "Content-Type: application/octet-stream", "", row.given, "--B--", "",
            ]
            #expect(Array(try await text(parts, mode: mode).utf8) == Array(expected.joined(separator: "\r\n").utf8))
        }
    }

    @Test func `the form mode keeps the line breaks of a text with a file name`() async throws {
        let part = MultipartBody.Part(name: "a", fileName: "f", contentType: "text/plain", content: .text("b\nc\r"))
        #expect(try await text([part], mode: .form).contains("\r\n\r\nb\nc\r\r\n--B--"))
    }

    @Test func `a long name is sent completely`() async throws {
        let name = String(repeating: "n\"", count: 500_000)
        let sent = try await text([.field("v", name: name)])
        #expect(
            sent.utf8.count == 500_000 * 4
                + "--B\r\nContent-Disposition: form-data; name=\"\"\r\n\r\nv\r\n--B--\r\n".utf8.count)
    }

    @Test func `nested values become fields with bracketed names`() throws {
        struct User: Encodable { let name: String, tags: [String] }
        struct Form: Encodable { let user: User, isNew: Bool }
        let form = Form(user: User(name: "A b&c", tags: ["x", "y,z"]), isNew: true)
        let file = MultipartBody.Part.data(Data(), name: "f", fileName: "f")
        let body = try RequestBody.multipart(encoding: form, files: [file])
        let fields: [MultipartBody.Part] = [
            .field("A b&c", name: "user[name]"), .field("x", name: "user[tags]"), .field("y,z", name: "user[tags]"),
            .field("true", name: "isNew"),
        ]
        #expect(body == .multipart(MultipartBody(fields + [file])))
        let commas = QueryEncoding(arrays: .commaSeparated, nesting: .dots, bools: .numeric)
        let other = try RequestBody.multipart(encoding: form, by: commas, mode: .form)
        #expect(
            other
                == .multipart(
                    ["user.name": "A b&c", "user.tags": "x,y,z", "isNew": "1"], mode: .form))
        #expect(try #require(throws: ServiceError.self) { try RequestBody.multipart(encoding: [1]) }.code == .encoding)
    }

    @Test func `the length is known if that of each part is`() async throws {
        let folder = try ScratchFolder()
        let file = MultipartBody.Part.file(try folder.file(Data(count: 300_000)), name: "f")
        let known: [MultipartBody.Part] = [
            file, .stream(name: "s", length: 2) { AsyncParts([Data("ab".utf8)]) }, .field("é", name: "t"),
        ]
        let body = RequestBody.multipart(MultipartBody(known, boundary: "B"))
        #expect(try body.length() == Int64(try await body.bytes().count) && body.data == nil)
        let unknown = MultipartBody.Part.stream(name: "s") { AsyncParts([]) }
        #expect(try RequestBody.multipart(MultipartBody(known + [unknown])).length() == nil)
        let endless = MultipartBody.Part.stream(name: "s", length: .max) { AsyncParts([]) }
        #expect(try RequestBody.multipart(MultipartBody([endless, endless])).length() == nil)
        let missing = MultipartBody.Part.file(folder.url.appending(path: "none"), name: "m")
        for part in [missing, .file(folder.url, name: "d")] {
            let body = RequestBody.multipart(MultipartBody([unknown, part]))
            #expect(try #require(throws: ServiceError.self) { try body.length() }.code == .encoding)
            let error = await #expect(throws: ServiceError.self) { try await body.bytes() }
            #expect(error?.reason.contains("body") == true)
        }
    }

    @Test func `small parts share a chunk, and a file is read in chunks`() async throws {
        let folder = try ScratchFolder()
        let parts: [MultipartBody.Part] = [
            .field("a", name: "a"), .field("b", name: "b"), .file(try folder.file(Data(count: 600_000)), name: "f"),
            .data(Data(count: 70_000), name: "d"), .field("c", name: "c"),
        ]
        let body = RequestBody.multipart(MultipartBody(parts, boundary: "B"))
        var sizes: [Int] = []
        for try await chunk in body.chunks { sizes.append(chunk.count) }
        #expect(sizes.filter { $0 >= 65_536 } == [262_144, 262_144, 75_712, 70_000])
        let length = try body.length()
        #expect(sizes.count == 7 && length == sizes.reduce(0) { $0 + Int64($1) })
    }

    @Test func `a single-use part is sent once, before any other byte is repeated`() async throws {
        let parts: [MultipartBody.Part] = [
            .data(Data(count: 70_000), name: "a"), .stream(once: AsyncParts([Data("x".utf8)]), name: "s"),
            .stream(once: AsyncParts([Data("y".utf8)]), name: "t", length: 1), .stream(name: "r") { AsyncParts([]) },
        ]
        let body = RequestBody.multipart(MultipartBody(parts, boundary: "B"))
        #expect(!body.isReplayable && RequestBody.multipart(["a": "b"]).isReplayable)
        let first = String(decoding: try await body.bytes(), as: UTF8.self)
        #expect(first.contains("\r\nx\r\n") && first.contains("\r\ny\r\n"))
        var again = body.chunks.makeAsyncIterator()
        let error = await #expect(throws: ServiceError.self) { _ = try await again.next() }
        #expect(error?.reason.contains("single-use stream") == true)
    }

    @Test func `a failing source is the error of the body`() async throws {
        let rows: [(part: MultipartBody.Part, reason: String)] = [
            (.stream(name: "s") { AsyncParts([Data("a".utf8)], then: POSIXError(.EIO)) }, "source failed"),
            (.stream(name: "s", length: 3) { AsyncParts([Data("ab".utf8)]) }, "found only 2"),
        ]
        for row in rows {
            let body = RequestBody.multipart(MultipartBody([.field("a", name: "a"), row.part]))
            let error = await #expect(throws: ServiceError.self) { try await body.bytes() }
            #expect(error?.code == .encoding && error?.reason.contains(row.reason) == true)
        }
    }

    @Test func `descriptions contain no content`() {
        let part = MultipartBody.Part(
            name: "password", headers: ["X-Key": "s3cret"], content: .text("s3cret"))
        let body = RequestBody.multipart(MultipartBody([part, .data(Data("s3cret".utf8), name: "a\nb")]))
        var dumped = ""
        dump(body, to: &dumped)
        if case .multipart(let multipart) = body {
            dump(multipart, to: &dumped)
            dump(multipart.parts, to: &dumped)
            for part in multipart.parts { dump(part.content, to: &dumped) }
        }
        #expect(!dumped.contains("s3cret") && dumped.contains("‹a multipart body with 2 parts›"))
        #expect("\(part)" == "password: ‹6 bytes›")
    }
}

extension RequestBody {
    /// Returns all bytes.
    func bytes() async throws -> Data {
        var all = Data()
        for try await chunk in chunks { all.append(chunk) }
        return all
    }
}
