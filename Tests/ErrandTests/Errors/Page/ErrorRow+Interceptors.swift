import Errand
import ErrandTesting
import Foundation
import TestSupport

extension ErrorRow {
    private struct KeyAuthorizer: Authorizer {
        var key = Credentials.header("X-Key", Secret("s3cret"))
        var identity: Credentials.Identity? { nil }
        func credentials(for request: APIRequest) async throws -> Credentials { key }
        func react(
            to refusal: AuthorizationInterceptor.Refusal, of credentials: Credentials
        ) async throws -> AuthorizationInterceptor.Decision { .giveUp }
    }

    private static func request(_ change: (inout APIRequest) -> Void = { _ in }) throws -> APIRequest {
        var request = try ErrorScene.request()
        request.options.time = InstantClock()
        change(&request)
        return request
    }

    static let interceptors: [ErrorRow] = [
        ErrorRow(.configuration, "The interceptor has no origin for its credentials.", "Pass the URL of the server.") {
            try await ErrorScene.send(request(), through: AuthorizationInterceptor(KeyAuthorizer(), at: []))
        },
        ErrorRow(.insufficientScope, "The token lacks a scope.", "Request the scope in `insufficientScope`.") {
            try await ErrorScene.send(
                request(),
                through: AuthorizationInterceptor(KeyAuthorizer(), at: ErrorScene.url("https://api.example")),
                .status(403).header("WWW-Authenticate", #"Bearer error="insufficient_scope", scope="photos""#))
        },
        ErrorRow(.configuration, "The user name contains a colon (RFC 7617).", "Correct the user name.") {
            try Credentials.basic(user: "eva:b", password: Secret("x"))
        },
        ErrorRow(.configuration, "The credentials contain a line break or a tab.", "Correct the credentials.") {
            try Credentials.basic(user: "eva", password: Secret("x\n"))
        },
        ErrorRow(.circuitOpen, "The origin failed repeatedly.", "Retry after `retryAfter`.") {
            var policy = CircuitBreakerInterceptor.Policy()
            policy.failures = 1
            return try await ErrorScene.send(
                request(), through: CircuitBreakerInterceptor(policy), .status(503), times: 2)
        },
        ErrorRow(.rateLimited, "The rate limit is reached, and the wait is too long.", "Retry after `retryAfter`.") {
            try await ErrorScene.send(
                request(), through: RateLimitInterceptor(), .status(429).header("Retry-After", "3600"), times: 2)
        },
        ErrorRow(
            .configuration, "A shared response could reach another account.", "Add an `IdentityInterceptor`."
        ) {
            try await ErrorScene.send(
                request { $0.head.setValue("Bearer a", forHTTPHeaderField: "Authorization") },
                through: CoalescingInterceptor())
        },
    ]
}
