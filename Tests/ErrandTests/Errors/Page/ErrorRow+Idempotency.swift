import Errand
import ErrandTesting
import Foundation
import TestSupport

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

    private struct BusyLedger: IdempotencyLedger {
        func begin(_ key: String, request: String, owner: String, lease: Duration) -> IdempotencyDecision {
            .busy(lease)
        }
        func finish(_ key: String, owner: String, with response: IdempotencyRecord) {}
        func abandon(_ key: String, owner: String) {}
    }
}
