import ErrandSupport

/// A dictionary with strings as its keys. A key strategy does not apply to them.
protocol StringKeyedDictionary {
    /// Decodes all members of an object, as Foundation's decoder does with a key strategy. The first of two members with
    /// the same key counts, but both must be valid.
    init(members object: JSONTapeDecoder) throws
}

extension Dictionary: StringKeyedDictionary where Key == String, Value: Decodable {
    init(members object: JSONTapeDecoder) throws {
        guard object.kind == .object else { throw object.failure([String: Any].self) }
        let tape = object.tape
        self = [:]
        for index in tape.keys(of: object.index) {
            if tape.hasTooManyMarks(index) {
                throw tape.refuse(DecodingError.tooManyMarks(at: object.codingPath))
            }
            let name = tape.originalKey(index)
            let value = try object.member(index + 1, PathKey(name)).value(Value.self)
            if self[name] == nil { self[name] = value }
        }
    }
}
