import Errand
import ErrandLoopback
import ErrandTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct RealNetworkTests {
    struct PriceAPI: APIHandler {
        let url: String

        func makeRequest(from data: Void) throws -> URLRequest {
            guard let url = URL(string: self.url) else { throw URLError(.badURL) }
            return URLRequest(url: url)
        }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> String {
            String(decoding: data, as: UTF8.self)
        }
    }

    private static let forgotten = APILoader(PriceAPI(url: "http://shop.invalid/price?token=s3cret"))

    @Test func `a loader without a session fails and names its handler`() async {
        let error = await RealNetwork.forbidden {
            await #expect(throws: ServiceError.self) { try await Self.forgotten.load() }
        }
        #expect(error?.code == .configuration)
        #expect(
            error.map { "\($0)" }?.contains(
                "PriceAPI would reach the real network, which this process forbids; pass a test session to its loader")
                == true)
        #expect(error?.request?.url == "http://shop.invalid/price?token=‹redacted›")
    }

    @Test func `a session with interceptors is also guarded`() async throws {
        struct Nothing: Interceptor {
            func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
                try await next.send(request)
            }
        }
        let session = PlatformSession.platform.intercepted(by: Nothing())
        let url = try #require(URL(string: "http://shop.invalid/"))
        let error = await RealNetwork.forbidden {
            await #expect(throws: ServiceError.self) {
                try await session.send(APIRequest(head: URLRequest(url: url), body: .none))
            }
        }
        #expect(error?.code == .configuration && error?.reason.hasPrefix("a request without a handler would") == true)
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `requests to this machine are allowed`(host: String) async throws {
        try await LoopbackServer.withServer { _ in
            .text("7")
        } _: { server in
            let price = try await RealNetwork.forbidden {
                try await APILoader(PriceAPI(url: "http://\(host):\(server.port)/")).load()
            }
            #expect(price == "7")
        }
    }

    @Test func `a redirect to another machine is forbidden`() async throws {
        try await LoopbackServer.withServer { _ in
            .status(307).header("Location", "http://shop.invalid/pay")
        } _: { server in
            let error = await RealNetwork.forbidden {
                await #expect(throws: ServiceError.self) {
                    try await APILoader(PriceAPI(url: server.url.absoluteString)).load()
                }
            }
            #expect(error?.code == .configuration)
        }
    }

    @Test(arguments: ["127.shop.invalid", "localhost.shop.invalid"])
    func `a host name that resembles this machine is forbidden`(host: String) async {
        let error = await RealNetwork.forbidden {
            await #expect(throws: ServiceError.self) {
                try await APILoader(PriceAPI(url: "http://\(host)/")).load()
            }
        }
        #expect(error?.code == .configuration)
    }

    @Test func `the real network is allowed by default`() async {
        let error = await #expect(throws: ServiceError.self) { try await Self.forgotten.load() }
        #expect(error?.code == .connection)
    }

    @Test func `a process can forbid the real network permanently`() async {
        await #expect(processExitsWith: .success) {
            RealNetwork.forbid()
            let error = await Task.detached { () -> ServiceError? in
                do throws(ServiceError) {
                    _ = try await APILoader(PriceAPI(url: "http://shop.invalid/")).load()
                    return nil
                } catch { return error }
            }.value
            #expect(error?.code == .configuration)
        }
    }
}
