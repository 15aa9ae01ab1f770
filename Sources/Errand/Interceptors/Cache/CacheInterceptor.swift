import ErrandSupport

/// Stores responses and uses them for later requests (RFC 9111). It is a private cache: it stores responses for one
/// account at a time, and never uses them for another one.
///
/// ```swift
/// let session = PlatformSession.platform.cached(in: MemoryCacheStore())
/// let photos = try await APILoader(GalleryAPI(environment: environment), session: session).response(query)
/// print(photos.cacheAge)      // nil: from the server
/// ```
/// Only GET responses are stored, and POST responses that describe their own URL. The response of a successful request
/// with another method removes the stored responses of its URL. A fresh response is used without a request. A stale one
/// is validated with a conditional request. `stale-while-revalidate` and `stale-if-error` (RFC 5861) and `immutable`
/// (RFC 8246) are supported. ``RequestOptions/cacheMode`` changes this for one request.
///
/// These requests are sent without the cache: those that are already conditional (`If-None-Match` …), with a body, and
/// with credentials but without an ``RequestOptions/identity``. A request for a part of the body (`Range`) can be
/// answered from a complete response. Partial responses are not stored, nor are redirected ones.
///
/// Bodies are stored decoded, as a loader receives them, so that a hit costs no time for decoding.
///
/// The trail has the decision and its reason, such as “fresh, 42 s left”. The interceptor belongs between
/// ``CoalescingInterceptor`` and ``AuthorizationInterceptor``.
public final class CacheInterceptor: Interceptor {
    /// The maximum number of validations in the background: 8. If there are more, the stale responses are used without
    /// one.
    public static let backgroundLimit: Int = 8

    /// The store.
    public let store: any CacheStore
    private let state = Locked(CacheState())

    /// Creates the interceptor.
    /// - Parameter store: The store of the responses.
    public init(_ store: some CacheStore) {
        self.store = store
    }

    /// The number of requests by their outcome, since the interceptor was created.
    public var statistics: CacheStatistics { state.withLock { $0.statistics } }

    /// The number of validations that run in the background.
    package var refreshing: Int { state.withLock { $0.refreshes.count } }

    /// Uses a stored response, or sends the request.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/notCached`` if the request only permits a stored response and
    ///   there is none. The error of the session.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        guard let call = CacheCall(request, next) else { return try await next.send(request) }
        switch request.method {
        case .get: return try await get(call)
        case .head: return try await head(call)
        case let method where method.isSafe: return try await next.send(request)
        default: return try await write(call)
        }
    }

    /// Changes the state.
    func withState<Result: Sendable>(_ body: @Sendable (inout CacheState) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}

extension CacheInterceptor {
    private func get(_ call: CacheCall) async throws -> APIResponse {
        if call.mode == .noStore { return try await call.send(call.request.forcingReload()) }
        guard call.mode != .reload else { return try await fetch(call, call.request.forcingReload()) }
        guard let entry = await entry(for: call) else {
            guard call.mode != .onlyIfCached, !call.directives.contains("only-if-cached") else {
                throw call.notCached
            }
            withState { $0.statistics.misses += 1 }
            return try await fetch(call, call.request)
        }
        switch CacheDecision.about(entry.facts, call.directives, call.mode, at: call.now) {
        case .use(let reason):
            if let response = try await response(entry, call, reason) { return response }
        case .useAndRefresh(let reason):
            if let response = try await response(entry, call, reason) {
                refresh(entry, call)
                return response
            }
        case .validate(let reason):
            guard !call.directives.contains("only-if-cached") else { throw call.notCached }
            if call.range == nil { return try await validate(entry, call, reason) }
        }
        return try await fetch(call, call.request)
    }

    /// Uses the stored header section of a GET response, or sends the request and updates the stored one (RFC 9111,
    /// section 4.3.5).
    private func head(_ call: CacheCall) async throws -> APIResponse {
        guard call.mode == .standard, let entry = await entry(for: call) else {
            return try await call.send(call.request)
        }
        if case .use(let reason) = CacheDecision.about(entry.facts, call.directives, call.mode, at: call.now) {
            call.note(reason)
            withState { $0.statistics.hits += 1 }
            return APIResponse(head: call.served(entry))
        }
        let start = call.now
        let response = try await call.send(call.request)
        guard response.head.status == 200 else { return response }
        if CacheStorage.isSameBody(entry.head, response.head) {
            let head = CacheStorage.updated(entry.head, with: response.head)
            await change(call) {
                try await self.store.update(
                    entry.updated(with: head, requestDate: start, responseDate: call.now), for: call.key)
            }
        } else {
            await change(call) { try await self.store.remove(call.key) }
        }
        return response
    }

    /// Sends a request that may change the resource, and removes its stored responses (section 4.4).
    private func write(_ call: CacheCall) async throws -> APIResponse {
        let start = call.now
        let response = try await call.send(call.request)
        guard (200..<400).contains(response.head.status) else { return response }
        for key in call.keys(changedBy: response.head) {
            withState { $0.noteInvalidation(of: key) }
            await change(call) { try await self.store.remove(key) }
        }
        guard call.request.method == .post, call.describesOwnURL(response.head) else { return response }
        return await store(response, of: call, sentAt: start, after: withState { $0.invalidations })
    }

    /// Sends a request, and stores the response.
    func fetch(_ call: CacheCall, _ request: APIRequest) async throws -> APIResponse {
        let start = call.now
        let invalidations = withState { $0.invalidations }
        let response = try await call.send(request)
        guard call.range == nil else { return response }
        return await store(response, of: call, sentAt: start, after: invalidations)
    }

    /// Returns the newest stored response that a request selects.
    private func entry(for call: CacheCall) async -> CacheEntry? {
        do {
            return try await store.entries(for: call.key).first { $0.selection.matches(call.request) }
        } catch {
            call.note("the store failed: \(error)")
            return nil
        }
    }

    /// Returns a stored response, or the requested part of it. Returns `nil` if the range cannot be served.
    func response(_ entry: CacheEntry, _ call: CacheCall, _ reason: String) async throws -> APIResponse? {
        let head = call.served(entry)
        let result: APIResponse
        if let header = call.range {
            // A range counts the bytes of the encoded body (RFC 9110, section 14.1.2).
            guard entry.head.status == 200, entry.isEncoded || entry.head.headers["Content-Encoding"] == nil else {
                return nil
            }
            let data = try await entry.body.collect(upTo: Int(clamping: entry.size ?? 0))
            guard let range = CachedRange.range(header, of: data.count) else { return nil }
            var response = CachedRange.response(range, of: data, head)
            response.head.cacheAge = head.cacheAge
            result = response
        } else {
            result = APIResponse(head: head, body: entry.body)
        }
        call.note(reason)
        withState { $0.statistics.hits += 1 }
        return result
    }

    /// Changes the store. An error of the store never fails the request.
    func change(_ call: CacheCall, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            call.note("the store failed: \(error)")
        }
    }
}
