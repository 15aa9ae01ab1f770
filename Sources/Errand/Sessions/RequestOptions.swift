/// How one call is to be carried out; each value has a default that suits most calls.
public struct RequestOptions: Sendable {
    /// How the body arrives: buffered, at most 64 MB.
    public var delivery: RequestOptions.Delivery = .buffered
    /// The longest silence of the server, 60 seconds by default. Nil: taken from the `URLRequest`.
    ///
    /// Any byte that is received, or sent of the request's body, starts it anew, so it does not bound the whole call:
    /// ``totalTimeout`` does. While the reader of a streamed body is busy with what it has got, it stands still.
    public var idleTimeout: Duration?
    /// The longest time for the whole call, interceptors and waits included. Nil, the default: no bound.
    ///
    /// The loader cancels then whatever its session does; one that ignores cancellation is waited for. Only a loader reads
    /// it: with `send(_:)` set ``deadline``.
    public var totalTimeout: Duration?
    /// The moment at which the call must have ended; the loader sets it from ``totalTimeout``, the earlier one wins. A request
    /// that calls share has none: see ``timeLeft``.
    public var deadline: Deadline?
    /// How urgent the call is, 0 to 1; 0.5 by default. A hint that a session may ignore.
    public var priority: Double = 0.5
    /// How a cache may serve the call. Nil: taken from the `URLRequest`.
    public var cachePolicy: URLRequest.CachePolicy?
    /// The values that descriptions of this call hide, and that no redirect sends to another origin.
    public var redaction: Redaction = .standard
    /// Whether the request may be sent more than once; by its method, unless the handler says otherwise.
    public var idempotency: RequestOptions.Idempotency = .byMethod
    /// The clock of the call. The loader sets it to its own, and the default is the system's.
    ///
    /// Everything that measures, waits or compares dates on behalf of the request uses this clock, so that a test gives
    /// its clock to the loader alone.
    public var time: any TimeSource = .system
    /// The random source of the call. The loader sets it to its own, and the default is the system's.
    public var random: any RandomSource = .system
    /// What takes down what happens on the call; the loader sets it. Nil: nobody asks.
    public var trail: Trail.Recorder?
    /// The handler of the call. `nil` for a request that no loader made.
    package var caller: (any Sendable)?
    /// What those who share the request ask for.
    package var sharedDemand: SharedDemand?

    private struct Entry: Sendable {
        let key: any RequestOptionKey.Type
        let value: any Sendable
    }

    /// The values of option keys. There are few, so that a search takes less than a hash.
    private var entries: [Entry] = []

    /// Makes the default options.
    public init() {}

    /// A value of a key of your own, for interceptors of your own.
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

    /// What two requests that share a response have in common, without default values. `nil` if a value forbids sharing.
    package var sharedValues: Set<SharedValue>? {
        var result: Set<SharedValue> = []
        for entry in entries {
            guard let (value, standard) = Self.sharedValue(entry.key, entry.value) else { return nil }
            if value != standard { result.insert(value) }
        }
        return result
    }

    private static func sharedValue<Key: RequestOptionKey>(
        _ key: Key.Type, _ value: any Sendable
    ) -> (SharedValue, SharedValue?)? {
        guard let value = value as? Key.Value, let shared = key.sharedValue(value) else { return nil }
        return (SharedValue(key, shared), key.sharedValue(key.defaultValue).map { SharedValue(key, $0) })
    }

    /// A key, and its value of ``RequestOptionKey/sharedValue(_:)``.
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

/// A key for a value in ``RequestOptions``, which an interceptor of your own reads.
///
/// ```swift
/// enum TenantKey: RequestOptionKey { static let defaultValue: String? = nil }
/// options[TenantKey.self] = "north"
/// ```
public protocol RequestOptionKey: SendableMetatype {
    /// The value's type.
    associatedtype Value: Sendable
    /// The value of a request that sets none.
    static var defaultValue: Value { get }

    /// Returns the value that must be equal in requests that share a response (``CoalescingInterceptor``). If `nil` (the
    /// default), a request that sets a value for this key never shares a response, because an interceptor may change the
    /// request depending on the value.
    static func sharedValue(_ value: Value) -> (any Hashable & Sendable)?
}

extension RequestOptionKey {
    /// `nil`.
    public static func sharedValue(_ value: Value) -> (any Hashable & Sendable)? { nil }
}
