import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

extension ErrorRow {
    static let idempotency: [ErrorRow] = [
        ErrorRow(
            .configuration, "Two different requests have the same `Idempotency-Key`.", "Give each job its own key."
        ) {
            let once = IdempotencyInterceptor(MemoryIdempotencyLedger())
            for path in ["a", "b"] { _ = try await send("https://api.example/\(path)", through: once) }
            return nil as APIResponse?
        },
        ErrorRow(
            .configuration, "The authorizer of the session has no identity, so its account is unknown.",
            "Give the authorizer an identity that is the same in all processes."
        ) {
            let request = try ErrorScene.request("https://api.example/a", "POST") {
                $0.setValue("7", forHTTPHeaderField: "Idempotency-Key")
            }
            let authorization = AuthorizationInterceptor(Unknown(), at: try #require(request.url))
            let session: StandardSession = .standard(
                authorization: authorization, idempotency: IdempotencyInterceptor(MemoryIdempotencyLedger()),
                over: ScriptedSession([.status(200)]))
            return try await session.send(request)
        },
        ErrorRow(
            .timeout, "Another task or process still sends the same request.", "Try again later, or wait for longer."
        ) {
            try await send(through: IdempotencyInterceptor(BusyLedger(), maximumWait: .zero))
        },
        ErrorRow(
            .file, "The parent of the folder does not exist, or the folder is not writable.", "Choose another folder."
        ) {
            try await send(
                through: IdempotencyInterceptor(FolderIdempotencyLedger(URL(filePath: "/missing/keys"))))
        },
    ]

    private static func send(
        _ url: String = "https://api.example/a", through once: IdempotencyInterceptor
    ) async throws -> APIResponse? {
        let request = try ErrorScene.request(url, "POST") { $0.setValue("7", forHTTPHeaderField: "Idempotency-Key") }
        return try await ErrorScene.send(request, through: once, .status(200))
    }

    private struct Unknown: Authorizer {
        let identity: Credentials.Identity? = nil

        func credentials(for request: APIRequest) -> Credentials { .bearer(Secret("t")) }
    }

    private struct BusyLedger: IdempotencyLedger {
        func begin(_ key: String, request: String, owner: String, lease: Duration) -> IdempotencyDecision {
            .busy(lease)
        }
        func finish(_ key: String, owner: String, with response: IdempotencyRecord) {}
        func abandon(_ key: String, owner: String) {}
    }
}
