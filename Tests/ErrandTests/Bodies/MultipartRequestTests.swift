import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Multipart bodies in requests: retries, secrets, coalescing and matchers.
@Suite(.timeLimit(.minutes(1))) struct MultipartRequestTests {
    private func request(_ body: RequestBody, _ method: HTTPMethod = .put) throws -> APIRequest {
        var head = URLRequest(url: try #require(URL(string: "http://api.test/")))
        head.httpMethod = method.rawValue
        var request = APIRequest(head: head, body: body)
        request.options.time = InstantClock()
        return request
    }

    @Test func `a retry sends the same bytes`() async throws {
        let script = ScriptedSession([.status(503), .failure(ServiceError(.timeout, "silent")), .text("x")])
        let session = script.intercepted(by: RetryInterceptor())
        _ = try await session.send(request(.multipart(["title": "Ada"])))
        let sent = script.recorded.map {
            "\($0.headers["Content-Type"] ?? "") \($0.body.data?.base64EncodedString() ?? "")"
        }
        #expect(sent.count == 3 && Set(sent).count == 1)
    }

    @Test func `a body with a single-use part is not retried`() async throws {
        let script = ScriptedSession([.status(503), .text("x")])
        let part = MultipartBody.Part.stream(once: AsyncParts([]), name: "s")
        let response = try await script.intercepted(by: RetryInterceptor())
            .send(request(.multipart(["a": "b"], files: [part])))
        #expect(response.head.status == 503 && script.recorded.count == 1)
    }

    @Test func `a loader draws the boundary from its random source`() async throws {
        struct Upload: APIHandler {
            func makeRequest(from title: String) throws -> URLRequest {
                var request = URLRequest(url: try #require(URL(string: "http://api.test/")))
                request.httpMethod = "POST"
                return request
            }
            func body(for title: String) throws -> RequestBody? { .multipart(["title": title]) }
            func parseResponse(data: Data, response: HTTPURLResponse) {}
        }
        let script = ScriptedSession([.text(""), .text("")])
        let loader = APILoader(Upload(), session: script, random: FixedRandom(fraction: 0.5))
        for _ in 1...2 { try await loader.load("Ada") }
        let types = script.recorded.map { $0.headers["Content-Type"] ?? "" }
        let zeros = String(repeating: "0", count: 32)
        #expect(types == Array(repeating: "multipart/form-data; boundary=errand-\(zeros)", count: 2))
    }

    @Test func `errors and responses mask the secret fields of a body`() async throws {
        let (secret, other, third) = ("s3cr3t-field", "s3cr3t-member", "pl4in-field")
        let json = MultipartBody.Part.data(
            Data(#"{"token":"\#(other)"}"#.utf8), name: "meta", contentType: "application/json")
        let request = try request(.multipart(["password": secret, "title": third], files: [json]))
        let echo = "\(secret) \(other) \(third)"
        let session = ScriptedSession([.text(echo).header("X-Echo", echo)]).intercepted(by: RetryInterceptor())
        let shown = "\(try await session.send(request).head)"
        #expect(!shown.contains(secret) && !shown.contains(other) && shown.contains(third), "\(shown)")
    }

    @Test func `requests with files or streams do not share a response`() async throws {
        let session = ScriptedSession([.text("1"), .text("2")]).intercepted(by: CoalescingInterceptor())
        let part = MultipartBody.Part.stream(name: "s") { AsyncParts([]) }
        let request = try request(.multipart([:], files: [part]), .query)
        async let one = session.send(request)
        async let other = session.send(request)
        let texts = try await [one, other].map { String(decoding: $0.body.data ?? Data(), as: UTF8.self) }
        #expect(Set(texts) == ["1", "2"])
    }
}
