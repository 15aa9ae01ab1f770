import Errand
import ErrandTesting
import TestSupport
import Testing

extension SessionContractTests {
    /// Sessions that each break one promise about streams. The paths match the requests of the promises.
    static let streamFlaws: [Flaw] = [
        Flaw(promise: "a streamed body arrives while it is sent", complaint: "still running after") {
            request, inner in
            let response = try await inner.send(request)
            guard request.path == "/arrives" else { return response }
            return APIResponse(head: response.head, body: ResponseBody(try await response.body.collect()))
        },
        Flaw(
            promise: "a truncated streamed body delivers its bytes, then an error",
            complaint: "expected an error after 4 bytes"
        ) { request, inner in
            let response = try await inner.send(request)
            guard request.path == "/cut" else { return response }
            return response.reading { chunks in try? await chunks.next() }
        },
        Flaw(
            promise: "a truncated streamed body delivers its bytes, then an error",
            complaint: "expected 4 unchanged bytes before the error, found 0"
        ) { request, inner in
            let response = try await inner.send(request)
            guard request.path == "/cut" else { return response }
            return response.reading { chunks in
                while try await chunks.next() != nil {}
                return nil
            }
        },
        Flaw(promise: "streamed bodies ignore the limit of buffered bodies", complaint: "body-too-large") {
            request, inner in
            let response = try await inner.send(request)
            guard request.path == "/large" else { return response }
            return APIResponse(head: response.head, body: ResponseBody(try await response.body.collect()))
        },
        Flaw(promise: "reading a streamed body ends by the request's deadline", complaint: "still running after") {
            request, inner in
            var request = request
            if request.path == "/time" { request.options.deadline = nil }
            return try await inner.send(request)
        },
        Flaw(promise: "reading a streamed body ends by the idle timeout", complaint: "still running after") {
            request, inner in
            var request = request
            if request.path == "/time" { request.options.idleTimeout = .seconds(60) }
            return try await inner.send(request)
        },
        Flaw(promise: "reading a streamed body ends when its task is cancelled", complaint: "still running after") {
            request, inner in
            let response = try await inner.send(request)
            guard request.path == "/cancelled" else { return response }
            let chunks = AsyncStream<Data>.makeStream()
            Task { for try await chunk in response.body { chunks.continuation.yield(chunk) } }
            let deaf = BodyStream { { await Task { await chunks.stream.first { _ in true } }.value } }
            return APIResponse(head: response.head, body: ResponseBody(deaf))
        },
    ]

    @Test func `a session that continues discarded transfers breaks the contract`() async throws {
        let contract = SessionContract(limit: .seconds(2) * min(3, TestEnvironment.patience)) {
            BrokenSession(inner: URLSession(configuration: .ephemeral)) { request, inner in
                let response = try await inner.send(request)
                guard request.path == "/left" else { return response }
                // Continues to read without a listener.
                let chunks = AsyncStream<Data>.makeStream()
                Task { for try await chunk in response.body { chunks.continuation.yield(chunk) } }
                return APIResponse(head: response.head, body: ResponseBody(stream: chunks.stream))
            }
        }
        let error = await #expect(throws: VerificationError.self) { try await contract.verify() }
        let complaint =
            "broken promise  discarding a streamed body ends its transfer\n  expected the connection to close"
        #expect(error?.problems.contains(complaint) == true, "\(error?.problems ?? [])")
    }
}

extension APIResponse {
    /// A copy of this response with a different reader of its body.
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
