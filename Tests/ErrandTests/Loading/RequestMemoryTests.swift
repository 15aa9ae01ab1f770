import Errand
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RequestMemoryTests {
    /// A session that records its requests.
    private final class RecordingSession: APISession {
        private let requests = Locked<[APIRequest]>([])
        private let isGone: Gate

        init(_ isGone: Gate) { self.isGone = isGone }

        deinit { isGone.open() }

        func send(_ request: APIRequest) async throws -> APIResponse {
            requests.withLock { $0.append(request) }
            return try APIResponse(to: request, status: 200, body: "[]")
        }
    }

    private struct NumbersAPI: APIHandler {
        func makeRequest(from input: Void) throws -> URLRequest {
            URLRequest(url: try #require(URL(string: "https://api.test/numbers")))
        }

        func parseResponse(data: Data, head: ResponseHead) throws -> Int { data.count }
    }

    @Test func `a recorded request does not keep its session`() async throws {
        let isGone = Gate()
        #expect(try await APILoader(NumbersAPI(), session: RecordingSession(isGone)).load() == 2)
        await isGone.wait()
    }
}
