import Errand
import ErrandLoopback
import Foundation
import TestSupport
import Testing

/// The proxy variables of the environment, in a separate process.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Platform.name == "Linux", "CurlSession requires Linux"))
struct ProxyEnvironmentTests {
    /// Requests a URL in a process with this environment. Returns the body of the response, or the error.
    private func result(_ url: String, _ environment: [String: String]) async throws -> String {
        let driver = try #require(Executable(product: "conformance-driver"))
        var all = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
            .reduce(into: [:]) { $0[$1] = "" }
        all.merge(environment) { $1 }
        let ending = try await driver.ending(
            ["--session", "curl"], input: #"{"id":1,"op":"fetch","method":"GET","url":"\#(url)"}"# + "\n",
            environment: all)
        let json = try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
        return try #require((json?["body"] ?? json?["error"]) as? String)
    }

    /// A proxy or a server. A request for a target that ends with `=URL` is redirected to that URL.
    private func peer(_ name: String) throws -> LoopbackServer {
        try LoopbackServer { request in
            guard let separator = request.target.firstIndex(of: "=") else {
                return .text("\(name) \(request.target)")
            }
            return .status(302).header("Location", String(request.target[separator...].dropFirst()))
        }
    }

    // The host 0.0.0.0 connects to this machine, but it is not a loopback address.
    @Test func `lower case variables name the proxy and its exceptions`() async throws {
        let (peer, server) = (try peer("proxied"), try peer("direct"))
        let (proxy, url) = (peer.url.absoluteString, "http://0.0.0.0:\(server.port)/x")
        #expect(try await result(url, [:]) == "direct /x")
        #expect(try await result(url, ["http_proxy": proxy]) == "proxied \(url)")
        #expect(try await result(url, ["all_proxy": proxy]) == "proxied \(url)")
        // This variable must be ignored, because in a CGI program it contains the Proxy header of the request.
        #expect(try await result(url, ["HTTP_PROXY": proxy]) == "direct /x")
        #expect(try await result(url, ["http_proxy": proxy, "no_proxy": "a.test,0.0.0.0"]) == "direct /x")
        #expect(try await result(url, ["http_proxy": proxy, "no_proxy": "*"]) == "direct /x")
        await peer.stop()
        await server.stop()
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `requests to a loopback address use no proxy`(host: String) async throws {
        let (peer, server) = (try peer("proxied"), try peer("direct"))
        let proxy = peer.url.absoluteString
        let named = ["http_proxy": proxy, "all_proxy": proxy, "no_proxy": "a.test"]
        let (near, far) = ("http://\(host):\(server.port)/", "http://0.0.0.0:\(server.port)/")
        #expect(try await result(near, named) == "direct /")
        // The exception applies to one request only, although the next request reuses the handle.
        #expect(try await result("\(near)=\(far)", named) == "proxied \(far)")
        #expect(try await result("\(far)=\(near)", named) == "direct /")
        await peer.stop()
        await server.stop()
    }

    @Test func `a target arrives unchanged with every environment`() async throws {
        let proxy = try LoopbackServer { .text("proxied \($0.target)") }
        let server = try LoopbackServer { .text("direct \($0.target)") }
        let url = "http://0.0.0.0:\(server.port)/a%2fb?"
        let named = proxy.url.absoluteString
        for environment in [
            ["http_proxy": named], ["http_proxy": "127.0.0.1:\(proxy.port)"], ["ALL_PROXY": named],
            ["http_proxy": named, "all_proxy": "socks5://127.0.0.1:1"],
            ["http_proxy": named, "no_proxy": "10.0.0.0/8"],
            // The lower-case name takes precedence.
            ["http_proxy": named, "no_proxy": "a.test", "NO_PROXY": "*"],
        ] {
            #expect(try await result(url, environment) == "proxied \(url)", "\(environment)")
        }
        for environment in [
            [:], ["http_proxy": named, "no_proxy": "0.0.0.0/8"], ["http_proxy": named, "NO_PROXY": "0.0.0.0"],
        ] {
            #expect(try await result(url, environment) == "direct /a%2fb?", "\(environment)")
        }
        await proxy.stop()
        await server.stop()
    }
}
