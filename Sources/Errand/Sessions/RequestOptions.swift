/// How one call is to be carried out; each value has a default that suits most calls.
public struct RequestOptions: Sendable {
    /// How the body arrives: buffered, at most 64 MB.
    public var delivery: Delivery = .buffered
    /// The longest silence of the server, 60 seconds by default. Nil: taken from the `URLRequest`.
    ///
    /// Any byte that is received, or sent of the request's body, starts it anew, so it does not bound the whole call:
    /// ``totalTimeout`` does. While the reader of a streamed body is busy with what it has got, it stands still.
    public var idleTimeout: Duration?
    /// The longest time for the whole call, layers and waits included. Nil, the default: no bound.
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
    /// How redirects are handled. By default at most 20 are followed, and none from https to http.
    public var redirects: RedirectPolicy = .follow
    /// The values that descriptions of this call hide, and that no redirect sends to another origin.
    public var redaction: Redaction = .standard
    /// Whether the request may be sent more than once; by its method, unless the handler says otherwise.
    public var idempotency: Idempotency = .byMethod
    /// Whose credentials the call carries, for layers that share answers; ``IdentityLayer`` sets it. Nil: nobody's, or not
    /// known.
    public var identity: CredentialsIdentity?
    /// The clock of the call. The loader sets it to its own, and the default is the system's.
    ///
    /// Everything that measures, waits or compares dates on behalf of the request uses this clock, so that a test gives
    /// its clock to the loader alone.
    public var time: any TimeSource = .system
    /// The random source of the call. The loader sets it to its own, and the default is the system's.
    public var random: any RandomSource = .system
    /// What takes down what happens on the call; the loader sets it. Nil: nobody asks.
    public var trail: Trail.Recorder?
    /// The handler of the call, for messages. `nil` for a request that no loader made.
    package var handler: (any APIHandler)?
    /// What those who share the request ask for.
    package var sharedDemand: SharedDemand?

    private var custom: [ObjectIdentifier: any Sendable] = [:]

    /// Makes the default options.
    public init() {}

    /// Whether a key of somebody's own is set.
    package var hasOwnValues: Bool { !custom.isEmpty }

    /// A value of a key of your own, for layers of your own.
    public subscript<Key: RequestOptionKey>(key: Key.Type) -> Key.Value {
        get { custom[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { custom[ObjectIdentifier(key)] = newValue }
    }
}

/// A key for a value in ``RequestOptions``, which a layer of your own reads.
///
/// ```swift
/// enum TenantKey: RequestOptionKey { static let defaultValue: String? = nil }
/// options[TenantKey.self] = "north"
/// ```
public protocol RequestOptionKey {
    /// The value's type.
    associatedtype Value: Sendable
    /// What a call has that sets none.
    static var defaultValue: Value { get }
}
