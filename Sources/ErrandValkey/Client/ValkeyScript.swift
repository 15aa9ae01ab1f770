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
        try await run(client, key: key, bytes: arguments.map { Data($0.utf8) })
    }

    /// Runs the script with arguments of any bytes.
    func run(_ client: ValkeyClient, key: String, bytes arguments: [Data]) async throws -> RESPValue {
        let rest = [Data("1".utf8), Data(key.utf8)] + arguments
        do {
            return try await client.send(RESPCommand([Data("EVALSHA".utf8), Data(name.utf8)] + rest))
        } catch {
            guard ValkeyFailure.isMissingScript(error) else { throw error }
            return try await client.send(RESPCommand([Data("EVAL".utf8), Data(text.utf8)] + rest))
        }
    }
}
