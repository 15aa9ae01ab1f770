import ErrandSupport

/// The position of a request in a distributed trace, as the `traceparent` and `tracestate` headers encode it (W3C Trace
/// Context, version 00, section 3).
///
/// A server continues the trace of an incoming request:
/// ```swift
/// let incoming = TraceContext(traceparent: request.headers["traceparent"], tracestate: request.headers["tracestate"])
/// try await TraceContext.$current.withValue(incoming) { try await loader.load(query) }
/// ```
/// ``TraceContextInterceptor`` sends both headers.
public struct TraceContext: Sendable, Hashable {
    /// The context that the requests of the current task continue. If `nil` (the default), each request starts a new
    /// trace.
    @TaskLocal public static var current: TraceContext?

    /// The identifier of the whole trace: 32 lowercase hexadecimal digits, not all zero.
    public let traceID: String
    /// The identifier of the request: 16 lowercase hexadecimal digits, not all zero.
    public let parentID: String
    /// Whether the caller may have recorded the request (flag 01).
    public let isSampled: Bool
    /// Whether at least the last 7 bytes of ``traceID`` are random (flag 02).
    public let isRandom: Bool
    /// The value of the `tracestate` header, which is forwarded unchanged. `nil` without this header.
    public let state: String?

    /// Creates the context of a new trace, with random identifiers.
    /// - Parameters:
    ///   - isSampled: Whether the caller records the trace.
    ///   - random: The source of the identifiers. Defaults to the system's generator.
    public init(isSampled: Bool, random: some RandomSource = .system) {
        traceID = random.identifier(16)
        parentID = random.identifier(8)
        self.isSampled = isSampled
        isRandom = true
        state = nil
    }

    /// Parses received headers. Returns `nil` if `traceparent` is missing or invalid. In that case, start a new trace
    /// and ignore `tracestate`.
    ///
    /// A `traceparent` of version 00 has exactly 55 characters. In a higher version, only the fields that version 00
    /// defines are parsed (section 3.2.4). Flags other than sampled and random are ignored. An invalid `tracestate` is
    /// dropped. A valid one has at most 32 entries, each with a key and a value of at most 256 characters (section
    /// 3.3.2).
    /// - Parameters:
    ///   - traceparent: The value of the `traceparent` header. It is invalid to receive more than one such header.
    ///   - tracestate: The value of the `tracestate` header. Join several such headers with commas. The default is
    ///     `nil`.
    public init?(traceparent: String?, tracestate: String? = nil) {
        guard let fields = TraceParentFields(traceparent ?? "") else { return nil }
        self.init(
            traceID: fields.traceID, parentID: fields.parentID, isSampled: fields.flags & 1 != 0,
            isRandom: fields.flags & 2 != 0, state: tracestate.flatMap(TraceState.validated))
    }

    private init(traceID: String, parentID: String, isSampled: Bool, isRandom: Bool, state: String?) {
        self.traceID = traceID
        self.parentID = parentID
        self.isSampled = isSampled
        self.isRandom = isRandom
        self.state = state
    }

    /// Creates the context of another request in the same trace.
    /// - Parameter random: The source of the identifier. Defaults to the system's generator.
    /// - Returns: This context with a new ``parentID``.
    public func child(random: some RandomSource = .system) -> TraceContext {
        TraceContext(
            traceID: traceID, parentID: random.identifier(8), isSampled: isSampled, isRandom: isRandom, state: state)
    }

    /// The value of the `traceparent` header, in version 00.
    public var traceparent: String {
        "00-\(traceID)-\(parentID)-0\((isSampled ? 1 : 0) | (isRandom ? 2 : 0))"
    }
}

extension TraceContext: CustomStringConvertible {
    /// ``traceparent``.
    public var description: String { traceparent }
}

extension RandomSource {
    /// Returns random bytes as lowercase hexadecimal digits. An identifier of zeros only is invalid.
    fileprivate func identifier(_ count: Int) -> String {
        var bytes = bytes(count)
        if bytes.allSatisfy({ $0 == 0 }) { bytes[count - 1] = 1 }
        return bytes.hexadecimal
    }
}
