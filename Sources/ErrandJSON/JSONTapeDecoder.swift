import ErrandSupport
import Foundation

/// Decodes the value at one index of a ``JSONTape``.
///
/// It is a class, because the standard library copies the storage of a container for each requested member.
final class JSONTapeDecoder: Decoder {
    /// The method that finds the keys of an object.
    private enum KeyLookup {
        /// Not yet known. The first lookup selects ``linear`` or ``indexed(_:)``.
        case undecided
        /// A linear search that compares the bytes of each key.
        case linear
        /// A hash table. Comparing bytes could be slow or could find another member.
        case indexed(JSONKeyIndex)

        init(for object: JSONTape.Node) { self = object.kind == .uncheckedObject ? .undecided : .linear }
    }

    let tape: JSONTape
    private(set) var index: Int
    /// The decoder of the array or object that contains this value. `nil` for the root value.
    private let parent: JSONTapeDecoder?
    /// The key of this value in the object that contains it. `nil` for an element of an array.
    private let key: (any CodingKey)?
    /// The index of this value in the array that contains it. Stored as an integer, because assigning an `any CodingKey` takes
    /// longer than the rest of ``move(to:elementIndex:)``.
    private var elementIndex = 0
    private var keyLookup: KeyLookup
    /// The index of the key after the one that was found last. The search for the next member starts here.
    private var nextKey: Int

    private init(_ tape: JSONTape, _ index: Int, _ parent: JSONTapeDecoder?, _ key: (any CodingKey)?) {
        self.tape = tape
        self.index = index
        self.parent = parent
        self.key = key
        keyLookup = KeyLookup(for: tape.nodes[index])
        nextKey = index + 1
    }

    /// Creates a decoder for the root value.
    convenience init(_ tape: JSONTape) { self.init(tape, 0, nil, nil) }

    /// Returns a decoder for a member of this object.
    func member(_ index: Int, _ key: some CodingKey) -> JSONTapeDecoder { JSONTapeDecoder(tape, index, self, key) }

    /// Returns a decoder for an element of this array.
    func element(_ index: Int, elementIndex: Int) -> JSONTapeDecoder {
        let element = JSONTapeDecoder(tape, index, self, nil)
        element.elementIndex = elementIndex
        return element
    }

    /// Reuses this decoder for another element of the same array. The caller must hold the only reference to it.
    func move(to index: Int, elementIndex: Int) {
        self.index = index
        self.elementIndex = elementIndex
        keyLookup = KeyLookup(for: tape.nodes[index])
        nextKey = index + 1
    }

    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var decoder = self
        while let parent = decoder.parent {
            path.append(decoder.key ?? PathKey(decoding: decoder.elementIndex))
            decoder = parent
        }
        return path.reversed()
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
        case .object, .uncheckedObject: .object
        }
    }

    /// The index of the keys. `nil` if a linear search is sufficient.
    @inline(__always) var keyIndex: JSONKeyIndex? {
        switch keyLookup {
        case .linear: return nil
        case .indexed(let keyIndex): return keyIndex
        case .undecided: return decideKeyLookup()
        }
    }

    @inline(never)
    private func decideKeyLookup() -> JSONKeyIndex? {
        guard tape.needsIndex(of: index) else {
            keyLookup = .linear
            return nil
        }
        let keyIndex = JSONKeyIndex(of: index, in: tape)
        keyLookup = .indexed(keyIndex)
        return keyIndex
    }

    /// Returns the index of the value of a member of this object.
    func index(of key: some CodingKey) -> Int? {
        var name = key.stringValue
        if let keyIndex { return keyIndex.index(of: name, in: tape).map { $0 + 1 } }
        guard let key = tape.key(&name, of: index, from: nextKey) else { return nil }
        nextKey = Int(tape.nodes[key + 1].next)
        return key + 1
    }

    /// Decodes a value of any type. The four types that Foundation's decoder treats specially are decoded as it does by
    /// default.
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try tape.checkLimit()
        if tape.hasTooManyMarks { try checkMarks(type) }
        if type == Date.self, let date = try date() { return unsafeBitCast(date, to: type) }
        if type == URL.self { return unsafeBitCast(try valid(URL(string: decode(String.self))), to: type) }
        if type == Data.self { return unsafeBitCast(try valid(Data(base64Encoded: decode(String.self))), to: type) }
        if type == Decimal.self { return unsafeBitCast(try valid(decimal), to: type) }
        if type == [Double].self { return unsafeBitCast(try scalars() as [Double], to: type) }
        if type == [Int].self { return unsafeBitCast(try scalars() as [Int], to: type) }
        if type == [String].self { return unsafeBitCast(try scalars() as [String], to: type) }
        if tape.source != nil, let dictionary = type as? any StringKeyedDictionary.Type {
            return try cast(dictionary.init(members: self))
        }
        return try Value(from: self)
    }

    /// Decodes an array without a generic call for each element.
    private func scalars<Scalar: JSONScalar>() throws -> [Scalar] {
        var container = try JSONTapeArray(self)
        var scalars: [Scalar] = []
        scalars.reserveCapacity(Int(tape.nodes[index].end))
        while !container.isAtEnd { scalars.append(try container.decode(Scalar.self)) }
        return scalars
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
        let parts = tape.decimal(tape.nodes[index])
        guard parts.digits != 0 else { return 0 }
        // All digits were read, so the result is exact. Created from a string, it takes 50 times as long.
        guard !parts.isTruncated, (-30...30).contains(parts.exponent) else { return tape.alone(Decimal.self, index) }
        let sign: FloatingPointSign = parts.isNegative ? .minus : .plus
        return Decimal(sign: sign, exponent: parts.exponent, significand: Decimal(parts.digits))
    }

    private func cast<Value>(_ value: some StringKeyedDictionary) throws -> Value {
        guard let value = value as? Value else { throw failure(Value.self) }
        return value
    }

    /// Returns the value of a string or a number that was converted, or throws an error.
    private func valid<Value>(_ value: Value?) throws -> Value {
        guard let value else {
            guard kind == .string else { throw failure(Value.self) }
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "invalid \(Value.self)")
            throw tape.failed(.dataCorrupted(context))
        }
        return value
    }

    /// Decodes a date by the strategy of the decoder. Returns `nil` if the type decodes itself.
    private func date() throws -> Date? {
        switch tape.dates {
        case .secondsSince1970: return Date(timeIntervalSince1970: try decode(Double.self))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try decode(Double.self) / 1_000)
        case .iso8601: return try valid(tape.date(index))
        case .custom(let custom):
            guard !decodeNil() else { throw failure(Date.self) }
            return try custom(self)
        default: return nil
        }
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
