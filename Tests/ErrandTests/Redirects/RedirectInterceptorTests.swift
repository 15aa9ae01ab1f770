import Errand
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RedirectInterceptorTests {
    private func call(_ url: String = "http://a.test/b", _ configure: (inout RequestOptions) -> Void = { _ in }) throws
        -> APIRequest
    {
        var options = RequestOptions()
        configure(&options)
        return APIRequest(head: URLRequest(url: try #require(URL(string: url))), body: .none, options: options)
    }

    private func moved(_ location: String, _ status: Int = 302) -> CannedReply {
        .text("moved", status: status).header("Location", location)
    }

    @Test func `redirects are followed to the last response`() async throws {
        let double = ScriptedSession([moved("c"), moved("//b.test/d", 308), .json("7")])
        let response = try await double.intercepted(by: RedirectInterceptor()).send(call())
        #expect(response.head.status == 200 && response.head.url.absoluteString == "http://b.test/d")
        #expect(try await response.body.collect() == Data("7".utf8))
        let asked = double.recorded.map(\.head.url?.absoluteString)
        #expect(asked == ["http://a.test/b", "http://a.test/c", "http://b.test/d"])
    }

    @Test(arguments: [HTTPMethod.get, .post])
    func `redirects to the same URL are followed until the resource is ready`(method: HTTPMethod) async throws {
        let double = ScriptedSession((1...20).map { _ in moved("/b", 307) } + [.json("7")])
        var request = try call()
        request.method = method
        let response = try await double.intercepted(by: RedirectInterceptor()).send(request)
        #expect(response.head.status == 200 && double.recorded.count == 21)
        #expect(double.recorded.allSatisfy { $0.url == request.url && $0.method == method })
    }

    /// An interceptor inside another one has no effect.
    @Test(arguments: 1...3)
    func `several redirect interceptors act as one`(count: Int) async throws {
        let interceptors = Array(repeating: RedirectInterceptor(), count: count)
        let double = ScriptedSession((1...20).map { moved("/\($0)") } + [.json("7")])
        let response = try await double.intercepted(byAll: interceptors).send(call())
        #expect(response.head.status == 200 && double.recorded.count == 21)
        let manual = ScriptedSession([moved("c")])
        let returned = try await manual.intercepted(byAll: interceptors).send(call { $0.redirects = .manual })
        #expect(returned.head.status == 302 && manual.recorded.count == 1)
        let endless = ScriptedSession((1...30).map { moved("/\($0)") })
        await #expect(throws: ServiceError.self) { try await endless.intercepted(byAll: interceptors).send(call()) }
        #expect(endless.recorded.count == 21)
    }

    @Test func `outer interceptors see the call, inner ones each request`() async throws {
        struct Count: Interceptor {
            let seen = Counter()
            func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
                seen.add()
                return try await next.send(request)
            }
        }
        let (outer, inner) = (Count(), Count())
        let double = ScriptedSession([moved("/c"), moved("/d"), .json("7")])
        _ = try await double.intercepted(by: outer, RedirectInterceptor(), inner).send(call())
        #expect(outer.seen.count == 1 && inner.seen.count == 3)
    }

    @Test func `the deadline is passed on unchanged`() async throws {
        let double = ScriptedSession([moved("/c"), .json("7")])
        let request = try call { $0.deadline = .after(.seconds(9)) }
        _ = try await double.intercepted(by: RedirectInterceptor()).send(request)
        #expect(double.recorded.allSatisfy { $0.options.deadline?.instant == request.options.deadline?.instant })
    }

    @Test func `an error of the session is thrown unchanged`() async throws {
        let double = ScriptedSession([moved("/c"), .failure(URLError(.timedOut))])
        await #expect(throws: URLError.self) { try await double.intercepted(by: RedirectInterceptor()).send(call()) }
    }

    @Test(arguments: [0, 1, 5])
    func `a call that is cancelled during a request ends as cancelled`(hops: Int) async throws {
        let double = ScriptedSession((0..<hops).map { moved("/\($0)") } + [.stall])
        let session = double.intercepted(by: RedirectInterceptor())
        let request = try call()
        let task = Task { try await session.send(request) }
        while double.recorded.count <= hops { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(double.recorded.count == hops + 1)
    }

    @Test func `a call that is cancelled between requests sends no other`() async throws {
        struct Cancelling: APISession {
            let seen = Counter()
            func send(_ request: APIRequest) async throws -> APIResponse {
                seen.add()
                withUnsafeCurrentTask { $0?.cancel() }
                return try APIResponse(to: request, status: 302, headers: ["Location": "/\(seen.count)"])
            }
        }
        let double = Cancelling()
        let session = double.intercepted(by: RedirectInterceptor())
        let request = try call()
        let task = Task { try await session.send(request) }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(double.seen.count == 1)
    }

    @Test func `a late cancellation does not discard the response`() async throws {
        struct Late: APISession {
            func send(_ request: APIRequest) async throws -> APIResponse {
                withUnsafeCurrentTask { $0?.cancel() }
                return try APIResponse(to: request, status: 200, body: "x")
            }
        }
        let request = try call()
        let task = Task { try await Late().intercepted(by: RedirectInterceptor()).send(request) }
        #expect(try await task.value.head.status == 200)
    }
}

/// A thread-safe counter.
final class Counter: Sendable {
    private let state = Locked(0)
    var count: Int { state.withLock { $0 } }
    func add() { state.withLock { $0 += 1 } }
}
