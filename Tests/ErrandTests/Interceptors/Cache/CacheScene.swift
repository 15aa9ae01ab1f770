import Errand
import ErrandTesting
import Foundation
import Testing

/// A session with a cache, a clock, and a server that responds with replies in order.
struct CacheScene {
    let clock = ManualClock()
    let store = MemoryCacheStore()
    let script: ScriptedSession
    let cache: CacheInterceptor
    let session: any APISession

    /// A response of a call.
    struct Result {
        let response: APIResponse
        let body: String
        /// The notes of the cache.
        let notes: [String]

        var status: Int { response.head.status }
        var age: String? { response.head.headers["Age"] }
        func header(_ name: String) -> String? { response.head.headers[name] }
    }

    init(_ replies: CannedReply...) {
        self.init(replies)
    }

    init(_ replies: [CannedReply]) {
        script = ScriptedSession(replies)
        cache = CacheInterceptor(store)
        session = script.intercepted(by: IdentityInterceptor(), cache)
    }

    /// The number of requests that reached the server.
    var sent: Int { script.recorded.count }

    /// The headers of the last request that reached the server.
    var lastSent: HeaderFields { script.recorded.last?.headers ?? [:] }

    static func request(
        _ method: HTTPMethod = .get, _ path: String = "/a", _ headers: [String: String] = [:]
    ) throws -> APIRequest {
        var head = URLRequest(url: try #require(URL(string: "https://a.example\(path)")))
        head.httpMethod = method.rawValue
        for (name, value) in headers { head.setValue(value, forHTTPHeaderField: name) }
        return APIRequest(head: head, body: .none)
    }

    func send(
        _ method: HTTPMethod = .get, _ path: String = "/a", _ headers: [String: String] = [:],
        _ configure: (inout RequestOptions) -> Void = { _ in }
    ) async throws -> Result {
        var request = try Self.request(method, path, headers)
        let recorder = Trail.Recorder(on: clock)
        (request.options.time, request.options.trail) = (clock, recorder)
        configure(&request.options)
        let response = try await session.send(request)
        let body = String(decoding: try await response.body.collect(), as: UTF8.self)
        let notes = recorder.trail.events.filter { $0.source == .cache }.map(\.message)
        return Result(response: response, body: body, notes: notes)
    }

    func get(_ path: String = "/a", _ headers: [String: String] = [:]) async throws -> Result {
        try await send(.get, path, headers)
    }
}

extension CannedReply {
    /// A response with a `Cache-Control` header.
    static func caching(_ control: String, _ body: String = "1", status: Int = 200) -> CannedReply {
        .text(body, status: status).header("Cache-Control", control)
    }
}
