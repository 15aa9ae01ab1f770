import Errand
import Foundation
import Testing

@Suite struct ResumableUploadMachineTests {
    /// A response of the server, or a failure.
    struct Reply: Sendable {
        var status: Int?
        var headers: HeaderFields = [:]
        var failure = ServiceError(.connectionLost, "connection lost")

        static let lost = Reply()
        static let refused = Reply(failure: ServiceError(.connection, "connection refused"))
        static func status(_ status: Int, _ headers: HeaderFields = [:]) -> Reply {
            Reply(status: status, headers: headers)
        }
    }

    /// The responses to an upload of 1,000 bytes, and the action after each of them.
    struct Row: Sendable, CustomTestStringConvertible {
        /// An upload of an earlier run.
        enum Stored: Sendable {
            case incomplete, maybeComplete
            /// An upload at another origin.
            case foreign
            /// An upload at the origin of the creation request, with a URL that another origin has chosen.
            case chosen

            func resource() throws -> UploadResource {
                let host = self == .foreign ? "up.test" : "api.test"
                return UploadResource(
                    url: try #require(URL(string: "https://\(host)/files/7")),
                    isSameOrigin: ![.foreign, .chosen].contains(self), mayBeComplete: self == .maybeComplete)
            }
        }

        let name: String
        let settings: ResumableUploadProtocol
        let stored: Stored?
        let size: Int64
        let exchanges: [(reply: Reply, action: String)]
        var testDescription: String { "\(settings.kind), \(name)" }

        init(
            _ settings: ResumableUploadProtocol, _ name: String, stored: Stored? = nil, size: Int64 = 1_000,
            _ exchanges: (Reply, String)...
        ) {
            (self.settings, self.name, self.stored, self.size) = (settings, name, stored, size)
            self.exchanges = exchanges.map { (reply: $0.0, action: $0.1) }
        }
    }

    static let created = Reply.status(201, ["Location": "/files/7"])

    static func offset(_ offset: Int, _ status: Int = 204, _ more: HeaderFields = [:]) -> Reply {
        .status(status, HeaderFields([HeaderFields.Field("Upload-Offset", "\(offset)")] + more))
    }

    static let noOffset = "expected an Upload-Offset header with the number of stored bytes"
    static let noLocation = "expected one Location header with the URL of the upload, found 0"

    static let tus: [Row] = [
        Row(.tus, "one request", (created, "send 0..<1000"), (offset(1_000), "final")),
        Row(.tus, "chunks", (created, "send 0..<1000")),
        Row(
            .tus(chunk: 400), "chunks", (created, "send 0..<400"), (offset(400), "send 400..<800"),
            (offset(800), "send 800..<1000"), (offset(1_000), "final")),
        Row(.tus, "a short chunk", (created, "send 0..<1000"), (offset(10), "send 10..<1000")),
        Row(.tus, "no content", size: 0, (.status(201), "final")),
        Row(
            .tus, "a lost connection", (created, "send 0..<1000"), (.lost, "ask after 1.0"),
            (offset(300, 200), "send 300..<1000"), (offset(1_000), "final")),
        Row(
            .tus, "a lost last response", (created, "send 0..<1000"), (.lost, "ask after 1.0"), (offset(1_000), "final")
        ),
        Row(.tus, "a stored upload", stored: .incomplete, (offset(700), "send 700..<1000")),
        Row(.tus, "a complete upload", stored: .incomplete, (offset(1_000), "final")),
        Row(.tus, "another length", stored: .incomplete, (offset(7, 200, ["Upload-Length": "9"]), "create")),
        Row(.tus, "an expired upload", stored: .incomplete, (.status(410), "create"), (created, "send 0..<1000")),
        Row(.tus, "a removed upload", (created, "send 0..<1000"), (.status(404), "create")),
        Row(
            .tus, "uploads that are always removed", stored: .incomplete, (.status(404), "create"),
            (created, "send 0..<1000"),
            (.status(404), "create"), (created, "send 0..<1000"),
            (.status(404), "create after 2.0"), (created, "send 0..<1000"), (.status(404), "create after 4.0"),
            (created, "send 0..<1000"), (.status(404), "create after 8.0"), (created, "send 0..<1000"),
            (.status(404), "final")),
        Row(.tus, "a conflict", (created, "send 0..<1000"), (.status(409), "ask after 1.0")),
        Row(.tus, "a locked upload", (created, "send 0..<1000"), (.status(423), "ask after 1.0")),
        Row(
            .tus, "an overload", (created, "send 0..<1000"), (.status(503, ["Retry-After": "9"]), "ask after 9.0")),
        Row(
            .tus, "a long overload", (created, "send 0..<1000"), (.status(503, ["Retry-After": "900"]), "final, kept")),
        Row(.tus, "a failed creation", (.status(500), "create after 1.0"), (.lost, "create after 2.0")),
        Row(.tus, "a rejected creation", (.status(404), "final")),
        Row(.tus, "a rejection", (created, "send 0..<1000"), (.status(400), "final")),
        Row(.tus, "an expired token", (created, "send 0..<1000"), (.status(401), "final, kept")),
        Row(.tus, "a small request that is too large", (created, "send 0..<1000"), (.status(413), "final")),
        Row(
            .tus, "a large request", size: 100 << 20, (created, "send 0..<104857600"), (.status(413), "ask after 1.0"),
            (offset(0), "send 0..<8388608"), (.status(413), "ask after 2.0"), (offset(0), "send 0..<2097152"),
            (offset(2_097_152), "send 2097152..<4194304")),
        Row(.tus, "no Location", (.status(201), noLocation)),
        Row(.tus, "no offset", (created, "send 0..<1000"), (.status(204), noOffset)),
        Row(.tus, "a negative offset", (created, "send 0..<1000"), (offset(-1), noOffset)),
        Row(
            .tus, "two offsets", (created, "send 0..<1000"), (offset(1, 200, ["Upload-Offset": "2"]), noOffset)),
        Row(
            .tus, "an offset behind the end", (created, "send 0..<1000"),
            (offset(1_001), "expected at most 1000 stored bytes, found 1001: the URL is that of another upload")),
        Row(
            .tus, "a later other length", (created, "send 0..<1000"), (.lost, "ask after 1.0"),
            (
                offset(7, 200, ["Upload-Length": "9"]),
                "expected an Upload-Length of 1000, found 9: the URL is that of another upload"
            )),
        Row(
            .tus, "a redirect", (created, "send 0..<1000"),
            (.status(302), "unexpected status 302 in a resumable upload")),
    ]

    static let stalled: [Row] = [
        Row(
            .tus, "no progress", (created, "send 0..<1000"), (offset(0), "ask after 1.0"), (offset(0), "send 0..<1000"),
            (offset(0), "ask after 2.0"), (offset(0), "send 0..<1000"), (offset(0), "ask after 4.0"),
            (offset(0), "send 0..<1000"), (offset(0), "ask after 8.0"), (offset(0), "send 0..<1000"),
            (offset(0), "expected the server to store bytes, found none stored in 5 attempts")),
        Row(
            .tus, "a server that is down", stored: .incomplete, (.lost, "ask after 1.0"), (.lost, "ask after 2.0"),
            (.status(502), "ask after 4.0"), (.lost, "ask after 8.0"), (.lost, "connection lost")),
        Row(
            .tus, "progress after failures", (created, "send 0..<1000"), (.lost, "ask after 1.0"),
            (.lost, "ask after 2.0"), (.lost, "ask after 4.0"), (offset(1), "send 1..<1000"), (.lost, "ask after 1.0"),
            (offset(1), "send 1..<1000"), (.lost, "ask after 2.0")),
        Row(
            .tus, "fewer stored bytes than before", (created, "send 0..<1000"), (offset(600), "send 600..<1000"),
            (.lost, "ask after 1.0"), (offset(200), "send 200..<1000"), (offset(500), "send 500..<1000"),
            (offset(500), "ask after 2.0")),
    ]

    static let draftDone: HeaderFields = ["Upload-Complete": "?1"]

    static let draft: [Row] = [
        Row(.httpDraft, "one request", (created, "send 0..<1000"), (.status(200, draftDone), "final")),
        Row(
            .httpDraft(chunk: 600), "chunks", (created, "send 0..<600"),
            (.status(204, ["Upload-Complete": "?0"]), "send 600..<1000"), (.status(201, draftDone), "final")),
        Row(
            .httpDraft, "a limit",
            (.status(201, ["Location": "/7", "Upload-Limit": "max-append-size=300"]), "send 0..<300"),
            (offset(300), "send 300..<600")),
        Row(
            .httpDraft(chunk: 10), "a minimum",
            (.status(201, ["Location": "/7", "Upload-Limit": "min-append-size=700"]), "send 0..<700"),
            (offset(700), "send 700..<1000")),
        Row(
            .httpDraft, "content over the limit",
            (
                .status(201, ["Location": "/7", "Upload-Limit": "max-size=999"]),
                "expected at most 999 bytes, the limit of the server, found more"
            )),
        Row(.httpDraft, "no content", size: 0, (created, "send 0..<0"), (.status(200, draftDone), "final")),
        Row(.httpDraft, "an early error", (.status(400, draftDone), "final")),
        Row(.httpDraft, "an error of the target", (created, "send 0..<1000"), (.status(500, draftDone), "final")),
        Row(.httpDraft, "an error of the upload", (created, "send 0..<1000"), (.status(500), "ask after 1.0")),
        Row(
            .httpDraft, "a lost last response", (created, "send 0..<1000"), (.lost, "ask after 1.0"),
            (offset(1_000, 204, draftDone), "send 1000..<1000"), (.status(200, draftDone), "final")),
        Row(
            .httpDraft, "stored, but not complete", stored: .incomplete, (offset(1_000), "send 1000..<1000"),
            (.status(200, draftDone), "final")),
        Row(
            .httpDraft, "a response without Upload-Complete", (created, "send 0..<1000"),
            (.status(200), "send 1000..<1000"), (.status(200), "ask after 1.0")),
        Row(.httpDraft, "a mismatch", (created, "send 0..<1000"), (offset(5, 409), "ask after 1.0")),
        Row(.httpDraft, "another length", stored: .incomplete, (offset(5, 204, ["Upload-Length": "8"]), "create")),
        Row(
            .httpDraft, "an upload without an offset", (created, "send 0..<1000"), (.lost, "ask after 1.0"),
            (.status(204), noOffset)),
    ]

    static func range(_ value: String) -> Reply { .status(308, ["Range": value]) }
    static let session = Reply.status(200, ["Location": "https://up.test/u?upload_id=1"])
    static let badRange = "invalid Range of the stored bytes: expected bytes=0-N"

    static let google: [Row] = [
        Row(.googleSession, "one request", (session, "send 0..<1000"), (.status(200), "final")),
        Row(
            .googleSession(chunk: 600_000), "chunks", size: 1_000_000, (session, "send 0..<524288"),
            (range("bytes=0-524287"), "send 524288..<1000000"), (.status(201), "final")),
        Row(
            .googleSession(chunk: 1), "small chunks", size: 1_000_000, (session, "send 0..<262144"),
            (range("bytes=0-99999"), "send 100000..<362144")),
        Row(.googleSession, "no content", size: 0, (session, "send 0..<0"), (.status(200), "final")),
        Row(
            .googleSession, "a lost connection", (session, "send 0..<1000"), (.lost, "ask after 1.0"),
            (range("bytes=0-499"), "send 500..<1000"), (.status(200), "final")),
        Row(
            .googleSession, "nothing stored", (session, "send 0..<1000"), (.status(503), "ask after 1.0"),
            (.status(308), "send 0..<1000")),
        Row(
            .googleSession, "a lost last response", (session, "send 0..<1000"), (.lost, "ask after 1.0"),
            (.status(200), "final")),
        Row(.googleSession, "an expired session", stored: .incomplete, (.status(404), "create")),
        Row(.googleSession, "a range without a unit", stored: .incomplete, (range("0-9"), "send 10..<1000")),
        Row(.googleSession, "a range with a gap", (session, "send 0..<1000"), (range("bytes=5-9"), badRange)),
        Row(
            .googleSession, "an overflowing range", (session, "send 0..<1000"),
            (range("bytes=0-9223372036854775807"), badRange)),
        Row(.googleSession, "two ranges", (session, "send 0..<1000"), (range("bytes=0-9, 20-29"), badRange)),
        Row(.googleSession, "308 after the creation", (.status(308), "unexpected status 308 in a resumable upload")),
    ]

    @Test(arguments: tus + stalled + draft + google + unusable + lost + unrepeated)
    func `each response leads to the next request`(row: Row) throws {
        var head = URLRequest(url: try #require(URL(string: "https://api.test/files")))
        head.httpMethod = "POST"
        let creation = APIRequest(head: head, body: .none)
        var machine = ResumableUploadMachine(row.settings, for: .init(size: row.size), by: creation)
        let first = machine.start(resuming: try row.stored?.resource())
        #expect(text(first) == (row.stored == nil ? "create" : "ask"))
        var actions: [String] = []
        for (reply, _) in row.exchanges {
            let url = try machine.upload?.url ?? #require(head.url)
            let result: Result<ResponseHead, ServiceError> =
                if let status = reply.status {
                    .success(ResponseHead(status: status, headers: reply.headers, url: url))
                } else {
                    .failure(reply.failure)
                }
            do {
                actions.append(text(try machine.next(after: result, .init(draw: 1))))
            } catch {
                actions.append(error.reason)
            }
        }
        #expect(actions == row.exchanges.map(\.action))
    }

    private func text(_ action: ResumableUploadMachine.Action) -> String {
        switch action {
        case .finish(let keepsState): return keepsState ? "final, kept" : "final"
        case .run(let step, let wait):
            let name =
                switch step {
                case .create: "create"
                case .findOffset: "ask"
                case .send(let range): "send \(range)"
                }
            return wait > .zero ? "\(name) after \(wait / .seconds(1))" : name
        }
    }

    @Test func `errors that are not interruptions end the upload`() throws {
        let creation = APIRequest(head: URLRequest(url: try #require(URL(string: "https://api.test/"))), body: .none)
        for code in [ServiceError.Code.tls, .encoding, .authorization, .badResponse] {
            var machine = ResumableUploadMachine(.tus, for: .init(size: 1), by: creation)
            _ = machine.start(resuming: nil)
            let error = #expect(throws: ServiceError.self) {
                try machine.next(after: .failure(ServiceError(code, "broken")), .init(draw: 0))
            }
            #expect(error?.code == code)
        }
    }
}
