/// Calls ``FastJSONDecoder/interruption`` from time to time.
struct DecodingLimit {
    /// The number of bytes to parse, and of values to decode, between two calls.
    static let interval = (bytes: 65_536, values: 1_024)

    let check: @Sendable () throws -> Void
}

extension DecodingLimit? {
    /// The limit of the current task.
    static var current: DecodingLimit? { FastJSONDecoder.interruption.map { DecodingLimit(check: $0) } }
}
