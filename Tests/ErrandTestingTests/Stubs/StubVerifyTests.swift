import Errand
import ErrandTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct StubVerifyTests {
    @Test func `verification succeeds without routes and requests`() throws {
        let stub = StubSession()
        try stub.verify()
        stub.on(.any, times: .anyNumber, reply: .status(200))
        stub.on(.any, times: .exactly(0), reply: .status(200))
        stub.on(.any, times: .exactly(-1), reply: .status(200))
        try stub.verify()
    }

    @Test func `verification reports unexpected requests with the closest route and unused routes`() async throws {
        let stub = StubSession()
        stub.on(.post, "/v1/comments", reply: .status(201))
        stub.on(.get, "/v1/photos", query: ["page": "2"], reply: .json("[]"))
        _ = try await stub.call(.get, "/v1/photos?page=2")
        _ = try? await stub.call(.get, "/v1/photos?page=3")
        let error = #expect(throws: VerificationError.self) { try stub.verify() }
        #expect(
            error?.description == """
                unexpected  GET /v1/photos?page=3
                  closest route  GET /v1/photos?page=2
                  query page: expected 2, got 3

                never used  POST /v1/comments (expected at least once)
                """)
    }

    @Test func `the same path is closer than fewer differences`() async throws {
        let stub = StubSession()
        stub.on(.get, "/v1/other", times: .anyNumber, reply: .status(200))
        stub.on(.put, "/v1/me", query: ["a": "1"], times: .anyNumber, reply: .status(200))
        _ = try? await stub.call(.get, "/v1/me")
        let error = #expect(throws: VerificationError.self) { try stub.verify() }
        #expect(
            error?.description == """
                unexpected  GET /v1/me
                  closest route  PUT /v1/me?a=1
                  method: expected PUT, got GET
                  query a: expected 1, got none
                """)
    }

    @Test func `verification reports the number of uses`() async throws {
        let stub = StubSession()
        stub.on(.get, "/a", times: .exactly(1), reply: .status(200))
        stub.on(.get, "/b", times: .exactly(2), reply: .status(200))
        stub.on(.get, "/c", times: .exactly(3), reply: .status(200))
        for path in ["/a", "/a", "/b"] { _ = try? await stub.call(.get, path) }
        let error = #expect(throws: VerificationError.self) { try stub.verify() }
        #expect(
            error?.problems == [
                "unexpected  GET /a\n  closest route  GET /a\n  used once before (expected exactly once)",
                "used once  GET /b (expected exactly twice)",
                "never used  GET /c (expected exactly 3 times)",
            ])
    }

    @Test func `verification reports a stub without routes and masks secrets`() async throws {
        let bare = StubSession()
        _ = try? await bare.call(.get, "/")
        #expect(
            #expect(throws: VerificationError.self) { try bare.verify() }?.description
                == "unexpected  GET /\n  the stub has no routes")

        let stub = StubSession()
        stub.on(
            .post, "/me", query: ["access_token": "s3cret"], headers: ["Authorization": "Bearer s3cret"],
            body: .json(#"{"password":"s3cret"}"#), reply: .status(200))
        _ = try? await stub.call(.post, "/me?access_token=0ther", body: .data(Data(#"{"password":"0ther"}"#.utf8)))
        let text = #expect(throws: VerificationError.self) { try stub.verify() }?.description ?? ""
        #expect(text.contains("closest route  POST /me?access_token=") && text.contains("never used  POST /me"))
        #expect(!text.contains("s3cret") && !text.contains("0ther"))
    }
}
