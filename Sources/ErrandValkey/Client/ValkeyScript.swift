import Errand
import ErrandSupport

/// A script in Lua that the server runs in one atomic step.
struct ValkeyScript: Sendable {
    private let text: String
    /// The name under which the server keeps the script: its SHA-1 digest.
    private let name: String

    init(_ text: String) {
        self.text = text
        name = SHA1.hash(Data(text.utf8)).hexadecimal
    }

    /// Runs the script. The text is sent only if the server does not know it.
    /// - Throws: As ``ValkeyClient/send(_:)``.
    func run(_ client: ValkeyClient, key: String, _ arguments: [String]) async throws -> RESPValue {
        let rest = ["1", key] + arguments
        do {
            return try await client.send(RESPCommand((["EVALSHA", name] + rest).map { Data($0.utf8) }))
        } catch {
            guard ValkeyFailure.isMissingScript(error) else { throw error }
            return try await client.send(RESPCommand((["EVAL", text] + rest).map { Data($0.utf8) }))
        }
    }
}
