import Errand
import ErrandLoopback
import ErrandSupport
import ErrandTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ConditionalLoadTests {
    /// A handler that also accepts status 304, and fails to parse its empty body.
    private struct List: APIHandler {
        var url = URL(string: "http://list.test/a")
        var validators: [ResponseValidator] = [.status(200...299, 304)]
        var headers: [String: String] = [:]
        var precondition: Precondition?

        func makeRequest(from data: Void) throws -> URLRequest {
            var request = URLRequest(url: try #require(url))
            request.allHTTPHeaderFields = headers
            return request
        }

        func options(for data: Void) -> RequestOptions {
            var options = RequestOptions()
            options.precondition = precondition
            return options
        }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Int] {
            try defaultParseResponse(data: data, response: response)
        }
    }

    private static let tag = "W/\"1\""
    private let stored = ResourceValidators(["ETag": tag])

    @Test func `an unchanged resource is not parsed`() async throws {
        let session = ScriptedSession([.json("[1]").header("ETag", Self.tag), .status(304).header("ETag", Self.tag)])
        let loader = APILoader(List(), session: session)
        let first = try await loader.loadIfModified(ResourceValidators())
        let loaded = try #require(first.loaded)
        #expect(loaded.value == [1] && loaded.validators == stored && first.head.status == 200)
        let second = try await loader.loadIfModified(loaded.validators)
        #expect(second.loaded == nil && second.head.status == 304 && second.head.headers["ETag"] == Self.tag)
        #expect(session.recorded.map { $0.headers["If-None-Match"] } == [nil, Self.tag])
    }

    @Test(arguments: [[.status()], [.status(200...299, 304)], []] as [[ResponseValidator]])
    func `an unrequested 304 is an error with every validator`(validators: [ResponseValidator]) async throws {
        let session = ScriptedSession([.status(304), .status(304), .status(304)])
        let loader = APILoader(List(validators: validators), session: session)
        let failures: [ServiceError?] = [
            await #expect(throws: ServiceError.self) { try await loader.load() },
            await #expect(throws: ServiceError.self) { try await loader.loadIfModified(ResourceValidators()) },
            await #expect(throws: ServiceError.self) { try await loader.stream() },
        ]
        for error in failures {
            #expect(error?.code == .status && error?.status == 304)
            #expect(error?.reason.hasPrefix("unexpected status 304 (Not Modified): the request has no") == true)
        }
    }

    @Test func `a requested 304 is rejected, or passed to the parser`() async throws {
        let session = ScriptedSession([.status(304), .status(304)])
        let options = List(validators: [.status()], precondition: .ifModified(stored))
        let error = await #expect(throws: ServiceError.self) { try await APILoader(options, session: session).load() }
        #expect(error?.reason.contains("; the resource has not changed; use loadIfModified(_:_:)") == true)
        let own = List(headers: ["If-Modified-Since": ResourceValidatorsTests.date])
        let parsed = await #expect(throws: ServiceError.self) { try await APILoader(own, session: session).load() }
        #expect(parsed?.code == .decoding && parsed?.status == 304)
    }

    /// A status 304 would otherwise refer to another version than that of the caller.
    @Test func `a conditional load replaces the condition headers of the handler`() async throws {
        let session = ScriptedSession([.status(304), .status(304)])
        let own = ["if-none-match": "\"own\"", "If-Modified-Since": ResourceValidatorsTests.date]
        let loader = APILoader(List(headers: own), session: session)
        #expect(try await loader.loadIfModified(stored).loaded == nil)
        #expect(session.recorded.first?.headers.all("If-None-Match") == [Self.tag])
        #expect(session.recorded.first?.headers["If-Modified-Since"] == nil)
        let error = await #expect(throws: ServiceError.self) { try await loader.loadIfModified(ResourceValidators()) }
        #expect(error?.status == 304)
    }

    @Test func `a conditional load replaces the condition of the handler`() async throws {
        let session = ScriptedSession([.json("[]")])
        let loader = APILoader(List(precondition: .ifPresent), session: session)
        #expect(try await loader.loadIfModified(stored).loaded?.value == [])
        let headers = try #require(session.recorded.first).headers
        #expect(headers["If-None-Match"] == Self.tag && headers["If-Match"] == nil)
    }

    @Test func `other failures are the same as for a load`() async throws {
        let session = ScriptedSession([.status(500), .json("{"), .failure(URLError(.timedOut))])
        let loader = APILoader(List(), session: session)
        var codes: [ServiceError.Code?] = []
        for _ in 1...3 {
            codes.append(await #expect(throws: ServiceError.self) { try await loader.loadIfModified(stored) }?.code)
        }
        #expect(codes == [.status, .decoding, .timeout])
    }

    @Test func `cancellation ends a conditional load`() async throws {
        let session = ScriptedSession([.stall])
        let task = Task { try await APILoader(List(), session: session).loadIfModified(stored) }
        while session.recorded.isEmpty { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    /// The session of the platform, and `URLSession`.
    private static func sessions() -> [any APISession] {
        [PlatformSession.platform, URLSession(configuration: .ephemeral)]
    }

    @Test func `a server sends the body only after a change`() async throws {
        for session in Self.sessions() {
            let version = Locked(1)
            let handler: LoopbackServer.Handler = { request in
                let version = version.withLock { $0 }
                let reply =
                    request["If-None-Match"] == "\"\(version)\"" ? LoopbackReply.status(304) : .json("[\(version)]")
                return reply.header("ETag", "\"\(version)\"").header("Last-Modified", ResourceValidatorsTests.date)
            }
            try await LoopbackServer.withServer(handler) { server in
                let loader = APILoader(List(url: server.url), session: session)
                var validators = ResourceValidators()
                var values: [[Int]?] = []
                for change in [0, 0, 1, 0] {
                    version.withLock { $0 += change }
                    let response = try await loader.loadIfModified(validators)
                    values.append(response.loaded?.value)
                    validators = response.loaded?.validators ?? validators
                }
                #expect(values == [[1], nil, [2], nil])
                #expect(validators.entityTag?.description == "\"2\"" && validators.isStrong)
            }
        }
    }

    @Test func `a conditional write fails after another write`() async throws {
        for session in Self.sessions() {
            let handler: LoopbackServer.Handler = { request in
                .status(request["If-Match"] == "\"1\"" && request["If-None-Match"] == nil ? 204 : 412)
            }
            try await LoopbackServer.withServer(handler) { server in
                let client = APIClient(
                    environment: CustomEnvironment<APIPath>(name: "local", baseURL: BaseURL(server.url)),
                    session: session)
                var write = Endpoint<Void>(method: .put, path: "a", parameters: ["a": 1])
                write.options.precondition = .ifUnmodified(ResourceValidators(["ETag": "\"1\""]))
                try await client.request(write)
                write.options.precondition = .ifUnmodified(ResourceValidators(["ETag": "\"2\""]))
                let error = await #expect(throws: ServiceError.self) { try await client.request(write) }
                #expect(error?.status == 412 && error?.reason.hasSuffix("(If-Match)") == true)
            }
        }
    }
}
