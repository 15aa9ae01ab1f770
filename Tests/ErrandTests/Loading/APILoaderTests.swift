import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct APILoaderTests {
    private let api = GreetingAPI(host: "greeting.test")

    @Test func `a loaded value comes with the response headers`() async throws {
        let session = ScriptedSession([
            .json(#"{"text":"hi"}"#).header("X-Ratelimit-Remaining", "49")
        ])
        let loaded = try await APILoader(api, session: session).response("eva")
        #expect(loaded.value == Greeting(text: "hi"))
        #expect(loaded.head.headers["x-ratelimit-remaining"] == "49")
        #expect(session.recorded.map(\.head.url?.absoluteString) == ["http://greeting.test/hello?name=eva"])
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        let step: CannedReply
        let code: ServiceError.Code
        let status: Int?
        var testDescription: String { "\(step) is \(code)" }
    }

    struct Odd: Error {}

    static let failures: [Failure] = [
        .init(step: .status(404), code: .status, status: 404),
        .init(step: .status(302), code: .status, status: 302),
        .init(step: .status(500), code: .status, status: 500),
        .init(step: .json("[]"), code: .decoding, status: 200),
        .init(step: .json("{"), code: .decoding, status: 200),
        .init(step: .status(204), code: .decoding, status: 204),
        .init(step: .failure(Odd()), code: .transport, status: nil),
        .init(step: .failure(URLError(.timedOut)), code: .timeout, status: nil),
        .init(step: .failure(URLError(.cannotFindHost)), code: .connection, status: nil),
        .init(step: .failure(URLError(.secureConnectionFailed)), code: .tls, status: nil),
        .init(step: .failure(URLError(.cancelled)), code: .cancelled, status: nil),
        .init(step: .failure(CancellationError()), code: .cancelled, status: nil),
        .init(step: .failure(ServiceError(.badResponse, "odd")), code: .badResponse, status: nil),
        .init(step: .json(String(repeating: " ", count: 2_000)), code: .bodyTooLarge, status: nil),
    ]

    @Test(arguments: failures)
    func `every failure is a service error with a code and context`(row: Failure) async throws {
        var api = api
        api.configure = { $0.delivery = .buffered(upTo: 1_000) }
        let loader = APILoader(api, session: ScriptedSession([row.step]))
        let error = try #require(await #expect(throws: ServiceError.self) { try await loader.load("eva") })
        #expect(error.code == row.code)
        #expect(error.status == row.status)
        #expect(error.request?.description == "GET http://greeting.test/hello?name=eva")
        #expect(error.attempts.count == 1)
    }

    @Test func `a handler that fails to make a request sends nothing`() async throws {
        let session = ScriptedSession([])
        let loader = APILoader(GreetingAPI(host: "a b"), session: session)
        let error = try #require(await #expect(throws: ServiceError.self) { try await loader.load("x") })
        #expect(error.code == .encoding && error.attempts.isEmpty)
        #expect(error.reason.hasPrefix("GreetingAPI: "))
        #expect(session.recorded.isEmpty)
    }

    @Test func `an invalid request does not reach a test double`() async throws {
        struct Forgetful: APIHandler {
            func makeRequest(from text: String) throws -> URLRequest {
                var request = try GreetingAPI(host: "f.test").makeRequest(from: "x")
                try setJSONBody(["text": text, "none": nil as Int?], on: &request)
                return request
            }
            func parseResponse(data: Data, response: HTTPURLResponse) {}
        }
        let session = ScriptedSession([.status(200)])
        let error = await #expect(throws: ServiceError.self) {
            try await APILoader(Forgetful(), session: session).load("a")
        }
        #expect(error?.reason == "a GET request cannot have a body: use another method" && session.recorded.isEmpty)
    }

    @Test func `a decoding error keeps its coding path`() async throws {
        let loader = APILoader(api, session: ScriptedSession([.json(#"{"text":7}"#)]))
        let error = try #require(await #expect(throws: ServiceError.self) { try await loader.load("eva") })
        #expect(error.reason == "expected a String at text, found a number (byte 8)")
        #expect(error.underlying is DecodingError)
        #expect(error.body == Data(#"{"text":7}"#.utf8))
    }

    @Test func `a cancelled task ends with the documented code`() async throws {
        let session = ScriptedSession([.stall])
        let task = Task { try await APILoader(api, session: session).load("eva") }
        while session.recorded.isEmpty { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.underlying is CancellationError)
    }

    @Test func `a call in a cancelled task sends nothing`() async throws {
        let session = ScriptedSession([.json("{}")])
        let loader = APILoader(api, session: session)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await loader.load("eva")
        }
        let error = await #expect(throws: ServiceError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(session.recorded.isEmpty)
    }

    @Test func `a total timeout sets the earlier deadline`() async throws {
        let session = ScriptedSession([.json(#"{"text":"hi"}"#)])
        var api = api
        api.configure = { options in
            options.deadline = .after(.seconds(10_000))
            options.totalTimeout = .seconds(500)
        }
        _ = try await APILoader(api, session: session).load("eva")
        let remaining = try #require(session.recorded.first?.options.deadline?.remaining)
        #expect(remaining > .zero && remaining <= .seconds(500))
    }

    struct Ping: APIHandler {
        func makeRequest(from data: Void) throws -> URLRequest { try api("ping").makeRequest(from: "x") }
        func parseResponse(data: Data, response: HTTPURLResponse) throws {
            defaultParseResponse(data: data, response: response)
        }
        private func api(_ host: String) -> GreetingAPI { GreetingAPI(host: "\(host).test") }
    }

    @Test func `a handler without input is loaded without an argument`() async throws {
        try await APILoader(Ping(), session: ScriptedSession([.status(204)])).load()
    }

    @Test func `handlers with the same types are interchangeable`() async throws {
        struct Canned: APIHandler {
            func makeRequest(from name: String) throws -> URLRequest {
                try GreetingAPI(host: "c.test").makeRequest(from: name)
            }
            func parseResponse(data: Data, response: HTTPURLResponse) -> Greeting { Greeting(text: "canned") }
            var validators: [ResponseValidator] { [] }
        }
        let handlers: [any APIHandler<String, Greeting>] = [api, Canned()]
        let session = ScriptedSession([.json(#"{"text":"hi"}"#), .status(500)])
        var texts: [String] = []
        for handler in handlers {
            texts.append(try await APILoader(AnyAPIHandler(handler), session: session).load("a").text)
        }
        #expect(texts == ["hi", "canned"])
    }

    @Test func `a total timeout ends a session that ignores deadlines`() async throws {
        var api = api
        api.configure = { $0.totalTimeout = .milliseconds(30) }
        let loader = APILoader(api, session: ScriptedSession([.stall]))
        let error = await #expect(throws: ServiceError.self) { try await loader.load("eva") }
        #expect(error?.code == .timeout)
    }

    @Test func `cancellation replaces the error of the session`() async throws {
        struct Grumpy: APISession {
            func send(_ request: APIRequest) async throws -> APIResponse {
                withUnsafeCurrentTask { $0?.cancel() }
                throw URLError(.networkConnectionLost)
            }
        }
        let loader = APILoader(api, session: Grumpy())
        let error = await #expect(throws: ServiceError.self) { try await loader.load("eva") }
        #expect(error?.code == .cancelled)
    }

    @Test func `a header value with a line break is an error`() async throws {
        struct Careless: APIHandler {
            func makeRequest(from token: String) throws -> URLRequest {
                var request = try GreetingAPI(host: "h.test").makeRequest(from: "x")
                try setHeaders(["Authorization": "Bearer \(token)"], on: &request)
                return request
            }
            func parseResponse(data: Data, response: HTTPURLResponse) {}
        }
        let session = ScriptedSession([.status(200)])
        let loader = APILoader(Careless(), session: session)
        let error = await #expect(throws: ServiceError.self) { try await loader.load("abc\n") }
        #expect(error?.code == .encoding && session.recorded.isEmpty)
    }

    @Test func `duplicate names are joined, and existing headers are kept`() throws {
        var request = try api.makeRequest(from: "x")
        request.setValue("mine", forHTTPHeaderField: "X-Set")
        try api.setHeaders(["X-D": "1", "x-d": "2", "X-Set": "other"], on: &request)
        #expect(request.value(forHTTPHeaderField: "X-D")?.filter { $0 != " " } == "1,2")
        #expect(request.value(forHTTPHeaderField: "X-Set") == "mine")
    }

    @Test func `interceptors change the request, the first is outermost`() async throws {
        struct Append: Interceptor {
            let letter: String
            func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
                var request = request
                let old = request.head.value(forHTTPHeaderField: "X-Path") ?? ""
                request.head.setValue(old + letter, forHTTPHeaderField: "X-Path")
                return try await next.send(request)
            }
        }
        let session = ScriptedSession([.json(#"{"text":"hi"}"#)])
        let layered = session.intercepted(by: Append(letter: "a"), Append(letter: "b"))
        _ = try await APILoader(api, session: layered).load("eva")
        #expect(session.recorded.first?.head.value(forHTTPHeaderField: "X-Path") == "ab")
    }
}
