public import Errand
import ErrandSupport

/// A ledger of idempotency keys on a Valkey or Redis server, for processes on several machines.
///
/// ```swift
/// let ledger = ValkeyIdempotencyLedger(client, seal: try ValueSeal(key: Secret(key)))
/// let session = PlatformSession.platform.intercepted(by: IdempotencyInterceptor(ledger), RetryInterceptor())
/// ```
/// The responses are encrypted. The server must store its data on disk. If it loses a key, a request can be sent again.
public struct ValkeyIdempotencyLedger: IdempotencyLedger {
    private static let begin = ValkeyScript(IdempotencyScript.begin)
    private static let finish = ValkeyScript(IdempotencyScript.finish)
    private static let abandon = ValkeyScript(IdempotencyScript.abandon)

    private let client: ValkeyClient
    private let seal: ValueSeal
    private let lifetime: Duration
    private let prefix: String

    /// Creates a ledger.
    /// - Parameters:
    ///   - client: The client, which several stores can share.
    ///   - seal: Encrypts the responses.
    ///   - lifetime: The time for which a recorded response is kept, at least 1 ms. The default is 24 hours.
    ///   - prefix: The first characters of the names of all keys on the server. The default is `errand:idempotency:`.
    public init(
        _ client: ValkeyClient, seal: ValueSeal, lifetime: Duration = .seconds(86_400),
        prefix: String = "errand:idempotency:"
    ) {
        (self.client, self.seal, self.lifetime, self.prefix) = (client, seal, max(.milliseconds(1), lifetime), prefix)
    }

    /// Reserves a key, or extends its reservation.
    /// - Throws: The errors of ``ValkeyClient/ping()``. ``/Errand/ServiceError/Code/file`` if the response cannot be opened.
    public func begin(
        _ key: String, request: String, owner: String, lease: Duration
    ) async throws -> IdempotencyDecision {
        let reply = try await Self.begin.run(client, key: name(key), [request, owner, "\(lease.wholeMicroseconds)"])
        guard let parts = reply.array, parts.count == 2, let state = parts[0].integer, let value = parts[1].bytes else {
            throw Self.malformed
        }
        switch state {
        case 0:
            guard let left = parts[1].integer else { throw Self.malformed }
            return .busy(.microseconds(left))
        case 1: return .reserved
        case 2:
            guard let record = IdempotencyRecord(try seal.open(value, context: name(key))) else {
                throw Self.malformed
            }
            return .recorded(record)
        case 3: return .otherRequest
        default: throw Self.malformed
        }
    }

    /// Records the response to the request of a key.
    /// - Throws: The errors of ``ValkeyClient/ping()``, and the error of your seal.
    public func finish(_ key: String, owner: String, with response: IdempotencyRecord) async throws {
        let sealed = try seal.seal(try response.data, context: name(key))
        let arguments = [Data(owner.utf8), sealed, Data("\(lifetime.wholeMicroseconds / 1_000)".utf8)]
        _ = try await Self.finish.run(client, key: name(key), bytes: arguments)
    }

    /// Ends the reservation of an owner.
    /// - Throws: The errors of ``ValkeyClient/ping()``.
    public func abandon(_ key: String, owner: String) async throws {
        _ = try await Self.abandon.run(client, key: name(key), [owner])
    }

    private static let malformed = ServiceError(.badResponse, "the reply of the idempotency script is malformed")

    private func name(_ key: String) -> String { prefix + key }
}
