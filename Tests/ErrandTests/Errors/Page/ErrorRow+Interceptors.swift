import Errand
import ErrandSupport
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

    /// Has other credentials after each 401 response.
    private struct RotatingAuthorizer: Authorizer {
        var identity: Credentials.Identity? { nil }
        func credentials(for request: APIRequest) async throws -> Credentials { .bearer(Secret("a")) }
        func react(
            to refusal: AuthorizationInterceptor.Refusal, of credentials: Credentials
        ) async throws -> AuthorizationInterceptor.Decision { .replay(.bearer(Secret("b"))) }
    }

    /// A handler that makes another request for the replay.
    private final class Changing: APIHandler {
        private let replay: URL?
        private let count = Locked(0)

        init(replay: URL?) { self.replay = replay }

        func makeRequest(from data: Void) throws -> URLRequest {
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { return try ErrorScene.request().head }
            guard let replay else { throw ErrorScene.Broken() }
            return URLRequest(url: replay)
        }

        func parseResponse(data: Data, head: ResponseHead) -> Data { data }
    }

    private static func replay(to url: URL?) async throws -> Data {
        let interceptor = AuthorizationInterceptor(RotatingAuthorizer(), at: try ErrorScene.url("https://api.example"))
        let session = ScriptedSession([.status(401)]).intercepted(by: interceptor)
        return try await APILoader(Changing(replay: url), session: session).load()
    }

    private static func request(_ change: (inout APIRequest) -> Void = { _ in }) throws -> APIRequest {
        var request = try ErrorScene.request()
        request.options.time = InstantClock()
        change(&request)
        return request
    }

    /// Writes to a cache after a file has replaced its folder.
    private static func writeToReplacedFolder() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "errand-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try DiskCacheStore(folder: folder)
        let head = ResponseHead(status: 200, url: try ErrorScene.url("https://api.example"))
        let entry = CacheEntry(head: head, requestDate: Date(), responseDate: Date(), selection: VarySelection())
        let writer = store.makeWriter(for: entry, key: CacheKey(url: "https://api.example"))
        try FileManager.default.removeItem(at: folder)
        try Data().write(to: folder)
        try await writer?.finish()
    }

    /// Changes a cache while another process has locked the entry.
    private static func writeToLockedFolder() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "errand-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try DiskCacheStore(
            folder: folder, capacity: 1 << 20, entryLimit: nil, lockTimeout: .milliseconds(1))
        let key = CacheKey(url: "https://api.example")
        let descriptor = open(folder.appending(path: "\(key.digest.prefix(2)).lock").path, O_RDWR | O_CREAT, 0o600)
        defer { close(descriptor) }
        flock(descriptor, LOCK_EX)
        let head = ResponseHead(status: 200, url: try ErrorScene.url("https://api.example"))
        let entry = CacheEntry(head: head, requestDate: Date(), responseDate: Date(), selection: VarySelection())
        try await store.makeWriter(for: entry, key: key)?.finish()
    }

    /// Stores a response with a header section that is larger than the cache.
    private static func writeToSmallFolder() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "errand-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try DiskCacheStore(folder: folder, capacity: 4_000)
        let head = ResponseHead(status: 200, url: try ErrorScene.url("https://api.example"))
        let entry = CacheEntry(head: head, requestDate: Date(), responseDate: Date(), selection: VarySelection())
        try await store.makeWriter(for: entry, key: CacheKey(url: "https://api.example"))?.finish()
    }

    static let interceptors: [ErrorRow] = [
        ErrorRow(.file, "The folder of a cache is not on this computer.", "Pass a file URL.") {
            _ = try DiskCacheStore(folder: try ErrorScene.url("https://api.example"))
        },
        ErrorRow(.file, "A cache has no permission for its folder, or there is a file.", "Pass another folder.") {
            _ = try DiskCacheStore(folder: URL(filePath: "/dev/null/cache"))
        },
        ErrorRow(.file, "A file has replaced the folder of a cache.", "Remove the file. Requests do not fail.") {
            try await writeToReplacedFolder()
        },
        ErrorRow(.file, "Another process keeps an entry of a cache locked.", "None. Requests do not fail.") {
            try await writeToLockedFolder()
        },
        ErrorRow(.file, "A cache is full of unfinished files.", "Pass a larger capacity. Requests do not fail.") {
            try await writeToSmallFolder()
        },
        ErrorRow(.notCached, "The request permits only a stored response.", "Load the value without `onlyIfCached`.") {
            var request = try ErrorScene.request()
            request.options.cacheMode = .onlyIfCached
            return try await ErrorScene.send(request, through: CacheInterceptor(MemoryCacheStore()))
        },
        ErrorRow(.configuration, "The interceptor has no origin for its credentials.", "Pass the URL of the server.") {
            try await ErrorScene.send(request(), through: AuthorizationInterceptor(KeyAuthorizer(), at: []))
        },
        ErrorRow(.insufficientScope, "The token lacks a scope.", "Request the scope in `insufficientScope`.") {
            try await ErrorScene.send(
                request(),
                through: AuthorizationInterceptor(KeyAuthorizer(), at: ErrorScene.url("https://api.example")),
                .status(403).header("WWW-Authenticate", #"Bearer error="insufficient_scope", scope="photos""#))
        },
        ErrorRow(.encoding, "The handler failed to make the request for a replay.", "Correct the handler.") {
            try await replay(to: nil)
        },
        ErrorRow(.encoding, "The request for a replay has another origin.", "Keep the origin in the handler.") {
            try await replay(to: ErrorScene.url("https://other.example/photos"))
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
        ErrorRow(.rateLimited, "The shared rate limit is reached.", "Retry after `retryAfter`.") {
            try await sharedLimit(MemoryLimitStore(time: InstantClock()), timeout: .seconds(60), times: 2)
        },
        ErrorRow(.rateLimited, "The store of the shared limit failed.", "Check the store, or change `failureMode`.") {
            try await sharedLimit(FolderLimitStore(URL(filePath: "/missing/limits")), timeout: .seconds(60))
        },
        ErrorRow(.rateLimited, "The store threw another error.", "Check the store, or change `failureMode`.") {
            try await sharedLimit(BrokenLimitStore(hangs: false), timeout: .seconds(60))
        },
        ErrorRow(
            .rateLimited, "The store did not respond in time.",
            "Check the store, or change `storeTimeout` or `failureMode`."
        ) {
            try await sharedLimit(BrokenLimitStore(hangs: true), timeout: .milliseconds(50))
        },
        ErrorRow(
            .file, "The parent of the folder does not exist, or the folder is not writable.", "Choose another folder."
        ) {
            let demand = LimitDemand(.init(1), maximumWait: .zero)
            return try await FolderLimitStore(URL(filePath: "/missing/limits")).take("a", demand)
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

private func sharedLimit(
    _ store: some LimitStore, timeout: Duration, times: Int = 1
) async throws -> APIResponse? {
    var policy = SharedRateLimitInterceptor.Policy(rate: .init(1, per: .seconds(3_600)))
    policy.failureMode = .closed
    policy.storeTimeout = timeout
    let interceptor = SharedRateLimitInterceptor(policy, in: store)
    return try await ErrorScene.send(ErrorScene.request(), through: interceptor, .status(200), times: times)
}

/// Throws an error of another type, or does not respond.
private struct BrokenLimitStore: LimitStore {
    let hangs: Bool

    func take(_ key: String, _ demand: LimitDemand) async throws -> LimitDecision {
        if hangs { await waitUntilCancelled() }
        throw ErrorScene.Broken()
    }

    func update(_ grant: LimitGrant, of key: String) -> LimitGrant { grant }
    func observe(_ key: String, _ observation: LimitObservation) {}
}
