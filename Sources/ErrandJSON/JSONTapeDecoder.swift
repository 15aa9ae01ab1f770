import ErrandSupport
import Foundation

/// Decodes the value at one index of a ``JSONTape``.
///
/// It is a class, because the standard library copies the storage of a container for each requested member.
final class JSONTapeDecoder: Decoder {
    let tape: JSONTape
    let index: Int
    /// The array or object that contains this value, and its key there. `nil` for the root value.
    private let origin: (parent: JSONTapeDecoder, key: any CodingKey)?
    /// The keys of the object, if comparing bytes could be slow or could find another member.
    private(set) lazy var keyIndex: JSONKeyIndex? = tape.needsIndex(of: index) ? JSONKeyIndex(of: index, in: tape) : nil

    private init(_ tape: JSONTape, _ index: Int, _ origin: (parent: JSONTapeDecoder, key: any CodingKey)?) {
        self.tape = tape
        self.index = index
        self.origin = origin
    }

    /// Creates a decoder for the root value.
    convenience init(_ tape: JSONTape) { self.init(tape, 0, nil) }

    /// Returns a decoder for a nested value.
    func inner(_ index: Int, _ key: some CodingKey) -> JSONTapeDecoder { JSONTapeDecoder(tape, index, (self, key)) }

    var codingPath: [any CodingKey] {
        var keys: [any CodingKey] = []
        var step = origin
        while let (parent, key) = step {
            keys.append(key)
            step = parent.origin
        }
        return keys.reversed()
    }

    var userInfo: [CodingUserInfoKey: Any] { tape.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try JSONTapeObject(self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try JSONTapeArray(self) }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    var kind: JSONKind {
        switch tape.nodes[index].kind {
        case .null: .null
        case .true, .false: .boolean
        case .integer, .decimal: .number
        case .string, .escapedString, .wideKey: .string
        case .array: .array
        case .object: .object
        }
    }

    /// Decodes a value of any type. The four types that Foundation's decoder treats specially are decoded as it does by
    /// default.
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try tape.checkLimit()
        if tape.hasTooManyMarks { try checkMarks(type) }
        if type == Date.self, let date = tape.date {
            guard !decodeNil() else { throw failure(type) }
            return try cast(date(self))
        }
        if type == URL.self { return try cast(URL(string: decode(String.self))) }
        if type == Data.self { return try cast(Data(base64Encoded: decode(String.self))) }
        if type == Decimal.self { return try cast(decimal) }
        return try Value(from: self)
    }

    /// Returns the error for a value of another type, with the same case as that of Foundation's decoder.
    func failure(_ type: Any.Type) -> DecodingError {
        let isNumber = kind == .number && type is any Numeric.Type
        let unfit = ExpectedForm(words: DecodingError.name(of: type), found: "a number that does not fit")
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "expected \(type), found \(kind)",
            underlyingError: isNumber ? unfit : nil)
        switch kind {
        case .null: return tape.failed(.valueNotFound(type, context))
        case .number where isNumber: return tape.failed(.dataCorrupted(context))
        default: return tape.failed(.typeMismatch(type, context))
        }
    }

    private var decimal: Decimal? {
        guard kind == .number else { return nil }
        return tape.alone(Decimal.self, index) ?? (tape.zero(tape.nodes[index]) as Double?).map { _ in 0 }
    }

    private func cast<Value>(_ value: (some Any)?) throws -> Value {
        guard let value = value as? Value else {
            guard kind == .string else { throw failure(Value.self) }
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "invalid \(Value.self)")
            throw tape.failed(.dataCorrupted(context))
        }
        return value
    }
}

extension JSONTapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { tape.nodes[index].kind == .null }

    func decode<Scalar: JSONScalar>(_ type: Scalar.Type) throws -> Scalar { try scalar() }

    // The protocol has default implementations for these two types, which would be used instead and which fail.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try scalar() }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar() }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }

    private func scalar<Scalar: JSONScalar>() throws -> Scalar {
        try Scalar.read(index, of: tape) { failure(Scalar.self) }
    }
}
