import Errand
import ErrandTesting
import Lottery
import TestSupport
import Testing

@Suite struct LotteryTests {
    @Test func `a test creates a service from closures`() async {
        let welcome = LoginModel(AccountService { name, _ in User(id: "1", name: name) })
        #expect(await welcome.greeting("Eva", Secret("x")) == "Welcome, Eva")
        let closed = LoginModel(AccountService { _, _ throws(ServiceError) in throw ServiceError(.timeout, "slow") })
        #expect(await closed.greeting("Eva", Secret("x")) == "The server took too long to respond.")
    }

    @Test func `a password is sent only in the body`() async throws {
        let session = ScriptedSession([.json(#"{"id":1,"name":"Eva"}"#)])
        let service = AccountService.live(at: try #require(URL(string: "https://l.test")), session: session)
        _ = try await service.login("eva", Secret("s3cret"))
        let request = try #require(session.recorded.first)
        #expect(request.url?.absoluteString == "https://l.test/login")
        #expect(request.body.data.map { String(decoding: $0, as: UTF8.self) } == "password=s3cret&username=eva")
        #expect(!"\(request) \(request.cURLCommand())".contains("s3cret"))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let reply: CannedReply
        let code: ServiceError.Code
        var server: LotteryError?
        var isClosed = false
        var testDescription: String { "\(code) \(server?.message ?? "") \(isClosed)" }
    }

    /// Each response fails at least one validator. The first failing validator in the list determines the error.
    @Test(arguments: [
        Row(
            reply: .json(#"{"code":1,"message":"no"}"#, status: 500).header("X-Maintenance", "on"), code: .validation,
            isClosed: true),
        Row(
            reply: .json(#"{"code":1,"message":"no"}"#, status: 500), code: .status,
            server: LotteryError(code: 1, message: "no")),
        Row(
            reply: .json(#"{"code":2,"message":"no"}"#), code: .status,
            server: LotteryError(code: 2, message: "no")),
        Row(reply: .text("oh", status: 500), code: .status),
        Row(reply: .text("hello"), code: .validation),
    ]) func `the first failing validator determines the error`(row: Row) async throws {
        let service = DrawService.live(
            at: try #require(URL(string: "https://l.test")), session: ScriptedSession([row.reply]))
        let error = await #expect(throws: ServiceError.self) { try await service.latest() }
        #expect(error?.code == row.code && error?.serverError as? LotteryError == row.server)
        #expect((error?.underlying is ClosedForMaintenance) == row.isClosed)
    }

    private func result(_ json: String) throws -> LotoResult {
        try JSONDecoder.errand.decode(LotoResult.self, from: Data(json.utf8))
    }

    @Test(arguments: ["7", #""7""#]) func `numbers and strings decode to a string identifier`(id: String) throws {
        let json = #"{"draw":{"id":\#(id),"name":"S"},"drawingDate":"2026-11-21T19:25:00Z","numbers":[]}"#
        #expect(try result(json).draw.id == "7")
    }

    @Test func `absent fields are nil, and present fields keep their values`() throws {
        let start = #"{"draw":{"id":1,"name":"S"},"drawingDate":"2026-11-21T19:25:00Z","numbers":[1]"#
        let absent = try result(start + "}")
        #expect(absent.prizes == nil && absent.extraNumber == nil)
        let there = try result(start + #","prizes":[],"extraNumber":0}"#)
        #expect(there.prizes == [] && there.extraNumber == 0)
        #expect(throws: DecodingError.self) { try result(start.replacing(#","numbers":[1]"#, with: "") + "}") }
    }
}
