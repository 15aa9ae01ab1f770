/// The use of the response cache for a request. The names and rules are those of the Fetch standard.
public enum CacheMode: String, Sendable, Hashable, CaseIterable {
    /// Use a fresh stored response. Validate a stale one.
    case standard = "default"
    /// Send the request, and do not store the response.
    case noStore = "no-store"
    /// Send the request, and store the response.
    case reload
    /// Validate a stored response, even if it is fresh. A fresh response with `immutable` is used without validation
    /// (RFC 8246).
    case noCache = "no-cache"
    /// Use a stored response, even if it is stale. Send the request only if there is none.
    case forceCache = "force-cache"
    /// Use a stored response, even if it is stale. Without one, the error is ``ServiceError/Code/notCached``.
    case onlyIfCached = "only-if-cached"

    /// The mode of a policy of `URLRequest`.
    init(_ policy: URLRequest.CachePolicy?) {
        self =
            switch policy {
            case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: .reload
            case .reloadRevalidatingCacheData: .noCache
            case .returnCacheDataElseLoad: .forceCache
            case .returnCacheDataDontLoad: .onlyIfCached
            default: .standard
            }
    }
}

extension RequestOptions {
    enum CacheModeKey: RequestOptionKey {
        static let defaultValue: CacheMode? = nil

        static func sharedValue(_ value: CacheMode?) -> (any Hashable & Sendable)? { value as any Hashable & Sendable }
    }

    enum WaitsForValidationKey: RequestOptionKey {
        static let defaultValue: Bool = false

        static func sharedValue(_ value: Bool) -> (any Hashable & Sendable)? { value }
    }

    /// Whether a stale response is validated before it is used, although `stale-while-revalidate` allows its use.
    var waitsForValidation: Bool {
        get { self[WaitsForValidationKey.self] }
        set { self[WaitsForValidationKey.self] = newValue }
    }

    /// The use of the response cache, for a ``CacheInterceptor``. If `nil` (the default), it is derived from
    /// ``cachePolicy``.
    public var cacheMode: CacheMode? {
        get { self[CacheModeKey.self] }
        set { self[CacheModeKey.self] = newValue }
    }
}
