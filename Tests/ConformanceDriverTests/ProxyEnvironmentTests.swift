import Errand
import ErrandLoopback
import Foundation
import TestSupport
import Testing

/// What the environment says of proxies, in a process whose environment it is.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Platform.name == "Linux", "the session is Linux's"))
struct ProxyEnvironmentTests {
    /// What the answer to an address was in such an environment: its body, or the error.
    private func answer(_ address: String, _ environment: [String: String]) async throws -> String {
        let driver = try #require(Executable(product: "conformance-driver"))
        var all = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
            .reduce(into: [:]) { $0[$1] = "" }
        all.merge(environment) { $1 }
        let ending = try await driver.ending(
            ["--session", "curl"], input: #"{"id":1,"op":"fetch","method":"GET","url":"\#(address)"}"# + "\n",
            environment: all)
        let json = try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
        return try #require((json?["body"] ?? json?["error"]) as? String)
    }

    @Test func `the lower case variable names a proxy, and another one exceptions`() async throws {
        let proxy = try LoopbackServer { .text("proxied \($0.target)") }
        let server = try LoopbackServer { .text("direct \($0.target)") }
        let address = "\(server.url.absoluteString)/x"
        let named = proxy.url.absoluteString
        #expect(try await answer(address, [:]) == "direct /x")
        #expect(try await answer(address, ["http_proxy": named]) == "proxied \(address)")
        #expect(try await answer(address, ["all_proxy": named]) == "proxied \(address)")
        // A server's program gets a request's Proxy field by this name, so that it must not count.
        #expect(try await answer(address, ["HTTP_PROXY": named]) == "direct /x")
        #expect(try await answer(address, ["http_proxy": named, "no_proxy": "a.test,127.0.0.1"]) == "direct /x")
        #expect(try await answer(address, ["http_proxy": named, "no_proxy": "*"]) == "direct /x")
        await proxy.stop()
        await server.stop()
    }
}
