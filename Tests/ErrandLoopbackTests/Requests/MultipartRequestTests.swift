import Errand
import ErrandLoopback
import ErrandSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct MultipartRequestTests {
    private func parts(_ body: String, _ type: String = "multipart/form-data; boundary=B") async throws
        -> [LoopbackRequest.Part]?
    {
        let received = ReceivedParts()
        try await LoopbackServer.withServer { request in
            received.set(request.parts)
            return .text("")
        } _: { server in
            var request = URLRequest(url: server.url)
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
            request.setValue(type, forHTTPHeaderField: "Content-Type")
            _ = try await URLSession(configuration: .ephemeral).data(for: request)
        }
        return received.parts
    }

    @Test func `parts have names, file names, headers and bodies`() async throws {
        let body =
            "--B\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\n1\r\n2\r\n--B\r\n"
            + "Content-Disposition: form-data; name=\"f\"; filename=\"x.txt\"\r\nContent-Type: text/plain\r\n\r\n\r\n--B--\r\n"
        let parts = try #require(try await parts(body, "Multipart/Form-Data; boundary=\"B\""))
        #expect(parts.map(\.name) == ["a%22b", "f"])
        #expect(parts.map(\.fileName) == [nil, "x.txt"])
        #expect(parts.map(\.body) == [Data("1\r\n2".utf8), Data()])
        #expect(parts[1]["content-type"] == "text/plain")
    }

    @Test(
        arguments: [
            (#"name="x; filename=""#, "x; filename=", nil),
            (#"name="n"; filename="\u{301}x.png""#, "n", "\u{301}x.png"),
            (#"name="n"; filename="; filename=.png""#, "n", "; filename=.png"),
            (#"name=n; filename*=UTF-8''a"#, "n", nil),
        ] as [(String, String, String?)])
    func `a quoted value may look like a parameter`(parameters: String, name: String, fileName: String?) async throws {
        let parameters = parameters.replacingOccurrences(of: "\\u{301}", with: "\u{301}")
        let body = "--B\r\nContent-Disposition: form-data; \(parameters)\r\n\r\n\r\n--B--\r\n"
        let part = try #require(try await parts(body)?.first)
        #expect(part.name == name && part.fileName == fileName)
    }

    @Test(
        arguments: [
            ("--B--", "multipart/form-data; boundary=B"), ("--B--\r\n", "multipart/form-data; boundary=B"),
        ])
    func `a body without parts is valid`(body: String, type: String) async throws {
        #expect(try await parts(body, type) == [])
    }

    @Test(
        arguments: [
            ("--B\r\n\r\n1\r\n--B--", "multipart/form-data; boundary=B"),
            ("--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1", "multipart/form-data; boundary=B"),
            ("--B\r\nContent-Disposition: form-data; name=\"a\"\r\n1\r\n--B--", "multipart/form-data; boundary=B"),
            ("--B--more", "multipart/form-data; boundary=B"), ("", "multipart/form-data; boundary=B"),
            ("--C--", "multipart/form-data; boundary=B"), ("--B--", "multipart/form-data"), ("--B--", "text/plain"),
        ])
    func `a malformed body, or another content type, has no parts`(body: String, type: String) async throws {
        #expect(try await parts(body, type) == nil)
    }
}

private final class ReceivedParts: Sendable {
    private let state = Locked<[LoopbackRequest.Part]?>(nil)

    var parts: [LoopbackRequest.Part]? { state.withLock { $0 } }

    func set(_ parts: [LoopbackRequest.Part]?) { state.withLock { $0 = parts } }
}
