import ErrandSupport

/// Stores responses and uses them for later requests (RFC 9111). It is a private cache. It stores the responses of each
/// identity separately, and never uses them for another identity.
///
/// ```swift
/// let session = PlatformSession.platform.cached(in: MemoryCacheStore())
/// let photos = try await APILoader(GalleryAPI(environment: environment), session: session).response(query)
/// print(photos.cacheAge)      // nil: from the server
/// ```
/// Responses to GET are stored. A response to POST with status 200 is stored if it has `max-age` or `Expires` and its
/// `Content-Location` is the URL of the request. A request with an unsafe method, such as POST, PUT or DELETE, removes the
/// stored responses of its URL, unless it fails with status 4xx or 5xx. A fresh response is used without a request. A
/// stale one is validated with a conditional request. `stale-while-revalidate` and `stale-if-error` (RFC 5861) and `immutable`
/// (RFC 8246) are supported. ``RequestOptions/cacheMode`` changes this for one request.
///
/// A GET or HEAD request is sent without the cache if it is already conditional (such as `If-None-Match`) or has a body.
/// So is a request with a safe method that has credentials and no ``RequestOptions/identity``, or that has a custom
/// ``RequestOptionKey``. A request with one range of bytes (`Range`) is served from a complete stored response that can be
/// used without validation. Partial and redirected responses are not stored.
///
/// Bodies are stored after content decoding (`Content-Encoding`), so a hit is not decompressed again.
///
/// The trail has the decision and its reason, such as “fresh, 42 s left”. The interceptor belongs between
/// ``CoalescingInterceptor`` and ``AuthorizationInterceptor``.
public final class CacheInterceptor: Interceptor {
    /// The maximum number of validations in the background: 8. At this limit, a stale response is used without
    /// starting a validation.
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
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/notCached`` if the request permits only a stored response and
    ///   none can be used. Otherwise, the error of the session.
    public func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        guard let call = CacheCall(request, next) else {
            let mode = request.options.cacheMode ?? CacheMode(request.options.cachePolicy)
            guard mode != .onlyIfCached else { throw CacheCall.notCached }
            return try await next.send(request)
        }
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
        let entry = await entry(for: call)
        if let entry, let response = use(entry, call) { return response }
        guard call.maySend else { throw CacheCall.notCached }
        return try await request(entry, call)
    }

    /// Returns a stored response that can be used without waiting for the server.
    func use(_ entry: CacheEntry, _ call: CacheCall) -> APIResponse? {
        switch CacheDecision.about(entry.facts, call.directives, call.mode, at: call.now) {
        case .use(let reason):
            return response(entry, call, reason)
        case .useAndRefresh
        where call.request.options.waitsForValidation && call.range == nil && call.maySend:
            return nil
        case .useAndRefresh(let reason):
            guard let response = response(entry, call, reason) else { return nil }
            if call.range == nil, call.maySend { refresh(entry, call) }
            return response
        case .validate:
            return nil
        }
    }

    /// Sends a request, which is conditional if there is a stored response.
    func send(_ call: CacheCall, validating entry: CacheEntry?) async throws -> APIResponse {
        guard let entry else {
            withState { $0.statistics.misses += 1 }
            return try await fetch(call, call.mode == .noCache ? call.request.forcingValidation() : call.request)
        }
        switch CacheDecision.about(entry.facts, call.directives, call.mode, at: call.now) {
        case .validate(let reason) where call.range == nil, .useAndRefresh(let reason) where call.range == nil:
            return try await validate(entry, call, reason)
        default:
            return try await fetch(call, call.request)
        }
    }

    /// Uses the stored header section of a GET response, or sends the request and updates the stored one (RFC 9111,
    /// section 4.3.5).
    private func head(_ call: CacheCall) async throws -> APIResponse {
        guard call.mode == .standard || !call.maySend, let entry = await entry(for: call) else {
            guard call.maySend else { throw CacheCall.notCached }
            return try await call.send(call.request)
        }
        if case .use(let reason) = CacheDecision.about(entry.facts, call.directives, call.mode, at: call.now) {
            call.note(reason)
            withState { $0.statistics.hits += 1 }
            return APIResponse(head: call.served(entry))
        }
        guard call.maySend else { throw CacheCall.notCached }
        let (start, invalidations) = (call.now, withState { $0.invalidations })
        let response = try await call.send(call.request)
        guard response.head.status == 200, call.isOwn(response.head) else { return response }
        if CacheStorage.isSameBody(entry.head, size: entry.size, response.head) {
            let head = CacheStorage.updated(entry.head, with: response.head)
            let updated = entry.updated(with: head, requestDate: start, responseDate: call.now)
            await keep(updated, replacing: entry, call, after: invalidations)
        } else {
            await change(call) { try await self.store.remove(call.key) }
        }
        return response
    }

    /// Replaces the headers of a stored response, unless it may no longer be stored.
    func keep(_ updated: CacheEntry, replacing entry: CacheEntry, _ call: CacheCall, after invalidations: Int) async {
        let isKept =
            CacheStorage.obstacle(updated.head, updated.facts, call.directives) == nil
            && VarySelection(updated.head.headers, of: call.request) == entry.selection
            && !withState { $0.wasInvalidated(call.key, after: invalidations) }
        await change(call) {
            if isKept { try await self.store.update(updated, replacing: entry, for: call.key) }
            // A write can have ended after the check.
            if !isKept || self.withState({ $0.wasInvalidated(call.key, after: invalidations) }) {
                try await self.store.remove(call.key)
            }
        }
    }

    /// Sends a request that may change the resource, and removes its stored responses (section 4.4).
    private func write(_ call: CacheCall) async throws -> APIResponse {
        let start = call.now
        let before = withState { $0.invalidations }
        let response: APIResponse
        do {
            response = try await call.send(call.request)
        } catch {
            // The server may have processed the request. The task is unstructured, because a cancelled request must
            // remove the responses, too.
            await Task { await self.invalidate(call, nil) }.value
            throw error
        }
        guard (200..<400).contains(response.head.status) else { return response }
        // Another write can be newer than this response.
        let isNewest = !withState { $0.wasInvalidated(call.key, after: before) }
        await invalidate(call, response.head)
        guard isNewest, call.request.method == .post, call.mode != .noStore, response.head.status == 200,
            CacheFacts(response.head, requestDate: start, responseDate: call.now).isExplicit,
            call.describesOwnURL(response.head)
        else { return response }
        return await store(response, of: call, sentAt: start, after: withState { $0.invalidations })
    }

    private func invalidate(_ call: CacheCall, _ head: ResponseHead?) async {
        for key in call.keys(changedBy: head) {
            withState { $0.noteInvalidation(of: key) }
            await change(call) { try await self.store.remove(key) }
        }
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
    func entry(for call: CacheCall) async -> CacheEntry? {
        do {
            return try await store.entries(for: call.key).first {
                $0.selection.matches(call.request) && call.permits($0)
            }
        } catch {
            call.note("the store failed: \(error)")
            return nil
        }
    }

    /// Returns a stored response, or the requested part of it. Returns `nil` if the range cannot be satisfied.
    private func response(_ entry: CacheEntry, _ call: CacheCall, _ reason: String) -> APIResponse? {
        let head = call.served(entry)
        let result: APIResponse
        if let header = call.range {
            // A range counts the bytes of the encoded body (RFC 9110, section 14.1.2).
            guard entry.head.status == 200, entry.isEncoded || entry.head.headers["Content-Encoding"] == nil else {
                return nil
            }
            let size = Int(clamping: entry.size ?? 0)
            guard let range = CachedRange.range(header, of: size) else { return nil }
            var response = CachedRange.response(range, of: entry.body, size, head)
            (response.head.cacheAge, response.body.codings) = (head.cacheAge, entry.body.codings)
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
