/// The options of one request. Each has a default that suits most requests.
public struct RequestOptions: Sendable {
    /// The delivery of the response body. The default is buffered, with a limit of 64 MB.
    public var delivery: RequestOptions.Delivery = .buffered
    /// The maximum time without network activity, 60 seconds by default. If `nil`, it is taken from the `URLRequest`.
    ///
    /// Each byte received, and each byte of the request body sent, restarts the timeout, so it does not limit the total
    /// time. ``totalTimeout`` does. It is paused while the reader of a streamed body processes received bytes.
    public var idleTimeout: Duration?
    /// The maximum time for the API call, including interceptors and waits. If `nil` (the default), it is unlimited.
    ///
    /// When the time has passed, the loader cancels its session, and waits for it if it ignores cancellation. Only a
    /// loader reads this option. With `send(_:)`, set ``deadline``.
    public var totalTimeout: Duration?
    /// The time by which the API call must end. The loader derives it from ``totalTimeout``, and the earlier deadline
    /// applies. A request that several API calls share has no deadline: see ``timeLeft``.
    public var deadline: Deadline?
    /// The urgency of the request, from 0 to 1. The default is 0.5. A session may ignore this hint.
    public var priority: Double = 0.5
    /// The cache policy. If `nil`, it is taken from the `URLRequest`.
    public var cachePolicy: URLRequest.CachePolicy?
    /// The values that are hidden in descriptions of the request, and are not sent to another origin after a redirect.
    public var redaction: Redaction = .standard
    /// Whether the request may be sent more than once. By default, this depends on the method.
    public var idempotency: RequestOptions.Idempotency = .byMethod
    /// The clock of the request. The loader sets it to its own. The default is the system clock.
    ///
    /// All measurements, waits and date comparisons for the request use this clock, so a test passes its clock only to
    /// the loader.
    public var time: any TimeSource = .system
    /// The random source of the request. The loader sets it to its own. The default is the system's.
    public var random: any RandomSource = .system
    /// Records the events of the request. Set by the loader. `nil` disables recording.
    public var trail: Trail.Recorder?
    /// The handler of the API call, or `nil` if the request was not made by a loader.
    package var caller: (any Sendable)?
    /// Makes the request again for a replay after 401. Set by the loader.
    var maker: RequestMaker?
    /// The combined urgency and deadline of the API calls that share the request.
    package var sharedDemand: SharedDemand?

    private struct Entry: Sendable {
        let key: any RequestOptionKey.Type
        let value: any Sendable
    }

    /// The values of option keys. There are few of them, so a linear search is faster than a hash lookup.
    private var entries: [Entry] = []

    /// Creates the default options.
    public init() {}

    /// The value of a custom key, for custom interceptors.
    public subscript<Key: RequestOptionKey>(key: Key.Type) -> Key.Value {
        get {
            for entry in entries where entry.key == key { return entry.value as? Key.Value ?? Key.defaultValue }
            return Key.defaultValue
        }
        set {
            let entry = Entry(key: key, value: newValue)
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return entries.append(entry) }
            entries[index] = entry
        }
    }

    /// The values of other keys than these that must be equal in requests that share a response, without default
    /// values. `nil` if a value forbids sharing.
    package func sharedValues(besides keys: [any RequestOptionKey.Type]) -> Set<SharedValue>? {
        var result: Set<SharedValue> = []
        for entry in entries where !keys.contains(where: { $0 == entry.key }) {
            guard let (value, standard) = Self.sharedValue(entry.key, entry.value) else { return nil }
            if value != standard { result.insert(value) }
        }
        return result
    }

    /// Whether a value of another key than these differs from its default, or forbids sharing responses.
    func hasCustomValue(besides keys: [any RequestOptionKey.Type]) -> Bool {
        sharedValues(besides: keys).map { !$0.isEmpty } ?? true
    }

    private static func sharedValue<Key: RequestOptionKey>(
        _ key: Key.Type, _ value: any Sendable
    ) -> (SharedValue, SharedValue?)? {
        guard let value = value as? Key.Value, let shared = key.sharedValue(value) else { return nil }
        return (SharedValue(key, shared), key.sharedValue(key.defaultValue).map { SharedValue(key, $0) })
    }

    /// A key and the result of ``RequestOptionKey/sharedValue(_:)`` for its value.
    package struct SharedValue: Sendable, Hashable {
        private let key: ObjectIdentifier
        private let value: any Hashable & Sendable

        fileprivate init(_ key: any RequestOptionKey.Type, _ value: any Hashable & Sendable) {
            (self.key, self.value) = (ObjectIdentifier(key), value)
        }

        package static func == (one: Self, other: Self) -> Bool {
            one.key == other.key && AnyHashable(one.value) == AnyHashable(other.value)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(key)
            value.hash(into: &hasher)
        }
    }
}

/// A key for a custom value in ``RequestOptions``, which a custom interceptor reads.
///
/// ```swift
/// enum TenantKey: RequestOptionKey { static let defaultValue: String? = nil }
/// options[TenantKey.self] = "north"
/// ```
public protocol RequestOptionKey: SendableMetatype {
    /// The type of the value.
    associatedtype Value: Sendable
    /// The value for a request that does not set one.
    static var defaultValue: Value { get }

    /// Returns the value that must be equal in requests that share a response (``CoalescingInterceptor``). If `nil`
    /// (the default), a request that sets a value for this key never shares a response, because an interceptor may
    /// change the request depending on the value.
    static func sharedValue(_ value: Value) -> (any Hashable & Sendable)?
}

extension RequestOptionKey {
    /// Returns `nil`.
    public static func sharedValue(_ value: Value) -> (any Hashable & Sendable)? { nil }
}
