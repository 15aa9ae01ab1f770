public import Errand

/// A limit store on a Valkey or Redis server, for processes on several machines.
///
/// Each call runs one script in one round trip, or in two if the server does not have the script yet. All times use the clock of
/// the server. If the server loses its data, each limit starts anew: with a whole burst, and without the pauses that API servers
/// demanded.
public struct ValkeyLimitStore: LimitStore {
    private static let take = ValkeyScript(LimitScript.take)
    private static let update = ValkeyScript(LimitScript.update)
    private static let observe = ValkeyScript(LimitScript.observe)
    private static let checkKey = "check"

    private let client: ValkeyClient
    private let prefix: String

    /// Creates a store.
    /// - Parameters:
    ///   - client: The client, which several stores can share.
    ///   - prefix: The first characters of the names of all keys on the server. The default is `errand:limit:`.
    public init(_ client: ValkeyClient, prefix: String = "errand:limit:") {
        (self.client, self.prefix) = (client, prefix)
    }

    /// Checks that the server can be reached, and that it permits all commands of the store. Call it before the first request,
    /// because connecting can take longer than ``/Errand/SharedRateLimitInterceptor/Policy/storeTimeout``. It creates the key
    /// `check`, which expires after a day.
    /// - Throws: As ``take(_:_:)``.
    public func check() async throws {
        _ = try await update(LimitGrant(wait: .zero), of: Self.checkKey)
        try await observe(Self.checkKey, LimitObservation())
    }

    /// Reserves the next free time of a limit.
    /// - Throws: ``/Errand/ServiceError``: ``/Errand/ServiceError/Code/configuration`` for invalid settings or a key of more than
    ///   256 bytes, ``/Errand/ServiceError/Code/connection``,
    ///   ``/Errand/ServiceError/Code/connectionLost``, ``/Errand/ServiceError/Code/timeout``,
    ///   ``/Errand/ServiceError/Code/authorization``, ``/Errand/ServiceError/Code/tls``,
    ///   ``/Errand/ServiceError/Code/certificate`` or ``/Errand/ServiceError/Code/badResponse``. `CancellationError`.
    public func take(_ key: String, _ demand: LimitDemand) async throws -> LimitDecision {
        let (step, burst) = demand.rate.microseconds
        let requests = demand.requests
        let arguments = [step, burst, requests, demand.maximumWait.limitedMicroseconds].map { "\($0)" }
        let reply = try await Self.take.run(client, key: try name(key), arguments)
        guard let parts = reply.array, parts.count == 4, let isGranted = parts[0].integer, let wait = parts[1].integer,
            let isFromServer = parts[2].integer, let mark = parts[3].string
        else { throw Self.malformed }
        guard isGranted == 1 else {
            return .refused(LimitRefusal(wait: .microseconds(wait), isFromServer: isFromServer == 1))
        }
        return .granted(LimitGrant(wait: .microseconds(wait), mark: mark))
    }

    /// Returns a reservation with the pauses that were added to it.
    /// - Throws: As ``take(_:_:)``.
    public func update(_ grant: LimitGrant, of key: String) async throws -> LimitGrant {
        let reply = try await Self.update.run(client, key: try name(key), [String(grant.mark.prefix(64))])
        guard let parts = reply.array, parts.count == 2, let wait = parts[0].integer, let mark = parts[1].string else {
            throw Self.malformed
        }
        return LimitGrant(wait: .microseconds(wait), mark: mark)
    }

    /// Adds the limits that a response reports.
    /// - Throws: As ``take(_:_:)``.
    public func observe(_ key: String, _ observation: LimitObservation) async throws {
        let quota = observation.quota.map { (LimitState.remaining(of: $0), $0.reset.limitedMicroseconds) } ?? (-1, 0)
        let pause = observation.pause?.limitedMicroseconds ?? -1
        _ = try await Self.observe.run(client, key: try name(key), [pause, quota.0, quota.1].map { "\($0)" })
    }

    private static let malformed = ServiceError(.badResponse, "the reply of the limit script is malformed")

    private func name(_ key: String) throws(ServiceError) -> String {
        guard key.utf8.count <= LimitDemand.keyLimit else {
            throw ServiceError(
                .configuration, "invalid name of a limit: expected at most \(LimitDemand.keyLimit) bytes")
        }
        return prefix + key
    }
}
