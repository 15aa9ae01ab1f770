import BankSearch
import Errand
import ErrandGraphQL
import ErrandLoopback
import ErrandSupport
import ErrandTesting
import ExampleServers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BankSearchTests {
    private func with<Result>(
        _ session: some APISession, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let service = Client.Service(url: URL(string: "https://bank.test/graphql"), session: session)
        return try await Client.$service.withValue(service) { try await body() }
    }

    @Test func `every query matches the schema of the service`() throws {
        let schema = try GraphQLSchema(BankServer.schema)
        for script in Script.allCases { try schema.check(try script.document()) }
    }

    @Test func `missing fields of a bank are nil`() async throws {
        let session = ScriptedSession([.json(#"{"data":{"bankSearch":[{"shortName":"A","bankCode":"1"}]}}"#)])
        let page = try await with(session) { try await Client.bankSearch(for: "A") }
        #expect(page.bankSearch.map(\.shortName) == ["A"] && page.bankSearch.first?.bic == nil)
        let body = String(decoding: session.recorded.first?.body.data ?? Data(), as: UTF8.self)
        #expect(body.contains(#""variables":{"limit":20,"search":"A"}"#))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let reply: CannedReply
        let error: ClientError
        var testDescription: String { "\(error)" }
    }

    @Test(arguments: [
        Row(reply: .json(#"{"errors":[{"message":"no code"}]}"#, status: 400), error: .refused(["no code"])),
        Row(reply: .json(#"{"data":{"bankSearch":[]},"errors":[{"message":"half"}]}"#), error: .refused(["half"])),
        Row(reply: .json(#"{"data":{"bankSearch":[{"bankCode":1}]}}"#), error: .failed("")),
        Row(reply: .status(503), error: .failed("the server responded with status 503")),
        Row(reply: .failure(URLError(.notConnectedToInternet)), error: .unreachable),
        Row(reply: .failure(URLError(.timedOut)), error: .unreachable),
        Row(reply: .failure(CancellationError()), error: .cancelled),
    ]) func `each failure is one of four cases`(row: Row) async throws {
        await with(ScriptedSession([row.reply])) {
            let error = await #expect(throws: ClientError.self) { try await Client.bankSearch(for: "A") }
            if case .failed("") = row.error {
                guard case .failed = error else { return #expect(Bool(false), "\(String(describing: error))") }
            } else {
                #expect(error == row.error)
            }
        }
    }

    @Test func `exactly one of the two closures is called`() async throws {
        let session = ScriptedSession([.json(#"{"data":{"bankSearch":[]}}"#), .status(500)])
        for expected in ["0 banks", "failed"] {
            let said = Said<String>()
            let call = await with(session) {
                Client.bankSearch(for: "A") { page in
                    said.add("\(page.bankSearch.count) banks")
                } failure: { _ in
                    said.add("failed")
                }
            }
            await call.value
            #expect(said.all == [expected])
        }
    }

    @Test func `cancelling the task cancels the request`() async throws {
        try await withServer { _ in
            .stall
        } _: { server, session in
            let said = Said<ClientError>()
            let service = Client.Service(url: server.url, session: session)
            let call = Client.$service.withValue(service) {
                Client.bankSearch(for: "A") { _ in
                } failure: { error in
                    said.add(error)
                }
            }
            for await statistics in server.statisticsUpdates where statistics.requests == 1 { break }
            call.cancel()
            await call.value
            #expect(said.all == [.cancelled])
        }
    }
}

/// The values that closures received.
private final class Said<Word: Sendable>: Sendable {
    private let words = Locked<[Word]>([])
    var all: [Word] { words.withLock { $0 } }
    func add(_ word: Word) { words.withLock { $0.append(word) } }
}
