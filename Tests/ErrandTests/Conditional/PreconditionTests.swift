import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PreconditionTests {
    static let strong = ResourceValidators(["ETag": "\"a\"", "Last-Modified": ResourceValidatorsTests.date])
    static let weak = ResourceValidators(["ETag": "W/\"a\""])
    static let weakAndDated = ResourceValidators(["ETag": "W/\"a\"", "Last-Modified": ResourceValidatorsTests.date])
    static let dated = ResourceValidators(["Last-Modified": ResourceValidatorsTests.date])

    struct Row: Sendable, CustomTestStringConvertible {
        let condition: Precondition
        let headers: [String]
        /// The meaning of status 412.
        let meaning: String
        var testDescription: String { "\(headers)" }

        init(_ condition: Precondition, _ headers: String..., meaning: String) {
            (self.condition, self.headers, self.meaning) = (condition, headers, meaning)
        }
    }

    static func rows() throws -> [Row] {
        let (a, b) = (try #require(EntityTag("\"a\"")), try #require(EntityTag("\"b\"")))
        let changed = "; the resource has changed since it was loaded, or does not exist (If-Match)"
        let dated = "; the resource has changed since it was loaded (If-Unmodified-Since)"
        let since = "If-Unmodified-Since: \(ResourceValidatorsTests.date)"
        return [
            Row(.ifUnmodified(strong), "If-Match: \"a\"", meaning: changed),
            Row(.ifUnmodified(weak), "If-Match: W/\"a\"", meaning: changed),
            Row(.ifUnmodified(weakAndDated), since, meaning: dated),
            Row(.ifUnmodified(Self.dated), since, meaning: dated),
            Row(.ifMatch(a), "If-Match: \"a\"", meaning: changed),
            Row(.ifMatch(a, b), "If-Match: \"a\", \"b\"", meaning: changed),
            Row(.ifAbsent, "If-None-Match: *", meaning: "; the resource exists already (If-None-Match)"),
            Row(.ifPresent, "If-Match: *", meaning: "; the resource does not exist (If-Match)"),
        ]
    }

    private static func names(_ request: APIRequest?) -> [String] {
        (request?.headers.filter { $0.name.hasPrefix("If-") } ?? []).map { "\($0.name): \($0.value)" }
    }

    private func client(_ session: ScriptedSession) -> APIClient {
        APIClient(environment: ErrorScene.environment, session: session)
    }

    @Test func `a write sends its condition, and a failed one explains itself`() async throws {
        for row in try Self.rows() {
            var options = RequestOptions()
            options.precondition = row.condition
            let session = ScriptedSession([.status(204), .status(412)])
            let write = Endpoint<Void>(method: .put, path: "a", options: options)
            try await client(session).request(write)
            #expect(Self.names(session.recorded.first) == row.headers)
            let error = await #expect(throws: ServiceError.self) { try await client(session).request(write) }
            #expect(error?.code == .status && error?.status == 412)
            #expect(error?.reason == "the server responded with status 412" + row.meaning)
            #expect(error?.errorDescription == "This is not in the expected state. Load it again.")
        }
    }

    @Test func `a write without validators is not sent`() async throws {
        var options = RequestOptions()
        options.precondition = .ifUnmodified(ResourceValidators())
        let session = ScriptedSession([])
        let error = await #expect(throws: ServiceError.self) {
            try await client(session).request(Endpoint<Void>(method: .put, path: "a", options: options))
        }
        #expect(error?.code == .encoding && session.recorded.isEmpty)
    }

    @Test func `a header of the handler replaces that of the condition`() async throws {
        var options = RequestOptions()
        options.precondition = .ifModified(Self.strong)
        let session = ScriptedSession([.status(204)])
        let headers: HeaderFields = ["if-none-match": "\"own\""]
        try await client(session).request(Endpoint<Void>(path: "a", headers: headers, options: options))
        let recorded = try #require(session.recorded.first)
        #expect(recorded.headers.all("If-None-Match") == ["\"own\""])
        #expect(recorded.headers["If-Modified-Since"] == ResourceValidatorsTests.date)
    }

    @Test func `a missing condition is reported with its option`() async throws {
        let error = await #expect(throws: ServiceError.self) {
            try await ErrorScene.load(Endpoint<Void>(method: .put, path: "a"), .status(428))
        }
        #expect(error?.reason.hasSuffix("; the server requires a condition; set RequestOptions.precondition") == true)
        let other = await #expect(throws: ServiceError.self) {
            try await ErrorScene.load(Endpoint<Void>(method: .put, path: "a"), .status(412))
        }
        #expect(other?.reason == "the server responded with status 412")
    }

    @Test func `a retry sends the same condition`() async throws {
        var options = RequestOptions()
        (options.precondition, options.idempotency) = (.ifModified(Self.weak), .always)
        let script = ScriptedSession([.status(503), .status(204)])
        let client = APIClient(
            environment: ErrorScene.environment, session: script.intercepted(by: RetryInterceptor()),
            time: InstantClock())
        try await client.request(Endpoint<Void>(path: "a", options: options))
        #expect(script.recorded.map(Self.names) == [["If-None-Match: W/\"a\""], ["If-None-Match: W/\"a\""]])
    }
}
