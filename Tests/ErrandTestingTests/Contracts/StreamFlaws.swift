import Errand
import ErrandTesting
import TestSupport
import Testing

extension SessionContractTests {
    /// Sessions that break one promise about streams each; the paths are those of the promises' requests.
    static let streamFlaws: [Flaw] = [
        Flaw(promise: "a streamed body arrives while it is sent", complaint: "it had not ended after") {
            request, inner in
            let response = try await inner.send(request)
            guard request.path == "/arrives" else { return response }
            return APIResponse(head: response.head, body: ResponseBody(try await response.body.collect()))
        },
        Flaw(
            promise: "a streamed body that was cut off is an error, after its bytes",
            complaint: "it ended after 4 bytes as if it were whole"
        ) { request, inner in
            let response = try await inner.send(request)
            guard request.path == "/cut" else { return response }
            return response.reading { chunks in try? await chunks.next() }
        },
        Flaw(
            promise: "a streamed body that was cut off is an error, after its bytes",
            complaint: "of 4 bytes before the cut 0 arrived"
        ) { request, inner in
            let response = try await inner.send(request)
            guard request.path == "/cut" else { return response }
            return response.reading { chunks in
                while try await chunks.next() != nil {}
                return nil
            }
        },
        Flaw(promise: "the cap on a buffered body is none of a streamed one", complaint: "body-too-large") {
            request, inner in
            let response = try await inner.send(request)
            guard request.path == "/large" else { return response }
            return APIResponse(head: response.head, body: ResponseBody(try await response.body.collect()))
        },
        Flaw(promise: "reading a streamed body ends by the call's deadline", complaint: "it had not ended after") {
            request, inner in
            var request = request
            if request.path == "/time" { request.options.deadline = nil }
            return try await inner.send(request)
        },
        Flaw(promise: "reading a streamed body ends by the idle time-out", complaint: "it had not ended after") {
            request, inner in
            var request = request
            if request.path == "/time" { request.options.idleTimeout = .seconds(60) }
            return try await inner.send(request)
        },
        Flaw(promise: "reading a streamed body ends when its task is cancelled", complaint: "it had not ended after") {
            request, inner in
            let response = try await inner.send(request)
            guard request.path == "/cancelled" else { return response }
            let chunks = AsyncStream<Data>.makeStream()
            Task { for try await chunk in response.body { chunks.continuation.yield(chunk) } }
            let deaf = BodyStream { { await Task { await chunks.stream.first { _ in true } }.value } }
            return APIResponse(head: response.head, body: ResponseBody(deaf))
        },
    ]

    @Test func `a session that keeps transfers whose reader has left is rejected`() async throws {
        let contract = SessionContract(limit: .seconds(2) * min(3, TestEnvironment.patience)) {
            BrokenSession(inner: URLSession(configuration: .ephemeral)) { request, inner in
                let response = try await inner.send(request)
                guard request.path == "/left" else { return response }
                // Reads on, whoever listens.
                let chunks = AsyncStream<Data>.makeStream()
                Task { for try await chunk in response.body { chunks.continuation.yield(chunk) } }
                return APIResponse(head: response.head, body: ResponseBody(stream: chunks.stream))
            }
        }
        let error = await #expect(throws: VerificationError.self) { try await contract.verify() }
        let complaint = "broken promise  leaving a streamed body ends its transfer\n  its connection stayed open"
        #expect(error?.problems.contains(complaint) == true, "\(error?.problems ?? [])")
    }
}

extension APIResponse {
    /// This answer, whose body is read in another way.
    fileprivate func reading(
        _ next: @escaping @Sendable (inout ResponseBody.AsyncIterator) async throws -> Data?
    ) -> APIResponse {
        let stream = BodyStream { [body] in
            var chunks = body.makeAsyncIterator()
            return { try await next(&chunks) }
        }
        return APIResponse(head: head, body: ResponseBody(stream))
    }
}
