package import Errand
import ErrandSupport
import Foundation

/// A call with a secret in every part of its request that can hold one, and a search for the secret in all texts that a
/// program could print.
package struct SecretScan: Sendable {
    /// The secret.
    package static let secret: String = "s3cr3t-7f3a9c"

    private let call: Call
    private let authorization: AuthorizationInterceptor

    /// Creates the scan. A `PUT` or `POST` request has the secret in its body, too.
    package init(
        _ base: URL, _ method: HTTPMethod = .put, idle: Duration = .milliseconds(200), total: Duration = .seconds(20)
    ) {
        call = Call(base: base, method: method, idle: idle, total: total)
        authorization = AuthorizationInterceptor(.apiKey(Secret(Self.secret), query: "key"), at: base)
    }

    /// Sends the call through a loader and all standard interceptors.
    /// - Returns: The texts that contain the secret, and a note if no line was logged.
    package func leaks(over session: some APISession) async -> [String] {
        let log = Log()
        var policy = RetryPolicy()
        policy.attempts = 2
        policy.backoff.base = .milliseconds(1)
        let stack: StandardSession = .standard(
            authorization: authorization, retry: RetryInterceptor(policy),
            over: Logged(session: session.intercepted(by: LoggingInterceptor(log))))
        var texts: [String] = []
        do throws(ServiceError) {
            let loaded = try await APILoader(call, session: stack).response(())
            texts += Self.texts(loaded) + Self.texts(loaded.trail) + [loaded.trail.json]
        } catch {
            texts += Self.texts(error) + Self.texts(error.trail) + [error.trail.json, error.reason]
            texts += Self.texts(error.attempts) + (error.request.map { Self.texts($0) } ?? [])
            texts += error.response.map { Self.texts($0) } ?? []
        }
        if let request = try? APIRequest(call.makeRequest(from: ()), options: call.options(for: ())) {
            texts += Self.texts(request) + [request.cURLCommand()]
        }
        let lines = log.lines.withLock { $0 }
        let leaks = Self.leaks(in: texts + lines)
        return lines.isEmpty ? leaks + ["expected log lines, found none"] : leaks
    }

    /// Returns the texts that contain the secret.
    package static func leaks(in texts: [String]) -> [String] {
        texts.filter { $0.contains(secret) }.map { String($0.prefix(300)) }
    }

    /// Returns the texts that a program could print for a value.
    package static func texts(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped, (value as? any Error)?.localizedDescription ?? ""]
    }
}

extension SecretScan {
    private struct Call: APIHandler {
        let base: URL
        let method: HTTPMethod
        let idle: Duration
        let total: Duration

        func makeRequest(from input: Void) throws -> URLRequest {
            var request = URLRequest(url: base.appending(path: "a"))
            try setQueryParams(["access_token": SecretScan.secret, "q": "1"], on: &request)
            request.httpMethod = method.rawValue
            for name in ["Cookie", "X-Api-Key", "X-Auth-Token"] {
                request.setValue(SecretScan.secret, forHTTPHeaderField: name)
            }
            request.setValue("Bearer \(SecretScan.secret)", forHTTPHeaderField: "Authorization")
            if method == .put || method == .post {
                try setJSONBody(["password": SecretScan.secret, "refresh_token": SecretScan.secret], on: &request)
            }
            return request
        }

        func options(for input: Void) -> RequestOptions {
            var options = RequestOptions()
            options.delivery = .buffered(upTo: 10_000)
            options.idleTimeout = idle
            options.totalTimeout = total
            return options
        }

        func parseResponse(data: Data, response: HTTPURLResponse) throws -> [String] {
            try defaultParseResponse(data: data, response: response)
        }
    }

    private final class Log: LoggingInterceptor.Sink {
        let lines = Locked<[String]>([])
        func log(_ line: String, at level: LoggingInterceptor.Level) { lines.withLock { $0.append(line) } }
    }

    private struct Logged: APISession {
        let session: any APISession
        func send(_ request: APIRequest) async throws -> APIResponse { try await session.send(request) }
    }
}
