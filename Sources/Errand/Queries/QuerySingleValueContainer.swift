/// The container for a single value. A second value is an error.
struct QuerySingleValueContainer: SingleValueEncodingContainer {
    let encoder: QueryEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws {
        try requireUntouched()
    }

    func encode(_ value: some Encodable) throws {
        try requireUntouched()
        encoder.node.takeOver(try encoder.written(value))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws {
        try requireUntouched()
        encoder.node.takeOver(try encoder.written(value))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws {
        try requireUntouched()
        encoder.node.takeOver(try encoder.written(value))
    }

    private func requireUntouched() throws {
        guard encoder.node.isUntouched else { throw QueryProblem.writtenTwice.error(at: codingPath) }
    }
}
