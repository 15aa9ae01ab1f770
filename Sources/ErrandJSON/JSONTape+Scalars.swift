import ErrandSupport
import Foundation

/// A value that a ``JSONTape`` decodes directly: a Boolean, a number or a string.
protocol JSONScalar: Decodable {
    /// Returns `nil` if the value has another kind, or if it is a number that this type cannot represent.
    static func read(_ index: Int, of tape: JSONTape) -> Self?

    /// Reads the value, or throws an error. This is a protocol requirement, so that it is compiled for each type: in
    /// generic code, the metadata of `Self?` would be looked up for each value.
    static func read(_ index: Int, of tape: JSONTape, or failure: () throws -> DecodingError) throws -> Self
}

extension JSONScalar {
    static func read(_ index: Int, of tape: JSONTape, or failure: () throws -> DecodingError) throws -> Self {
        guard let scalar = read(index, of: tape) else { throw try failure() }
        return scalar
    }
}

extension Bool: JSONScalar {
    static func read(_ index: Int, of tape: JSONTape) -> Bool? {
        switch tape.nodes[index].kind {
        case .true: true
        case .false: false
        default: nil
        }
    }
}

extension String: JSONScalar {
    static func read(_ index: Int, of tape: JSONTape) -> String? {
        let node = tape.nodes[index]
        switch node.kind {
        case .string: return tape.text(index)
        case .escapedString: return tape.unescaped(node)
        default: return nil
        }
    }
}

extension JSONScalar where Self: FixedWidthInteger {
    static func read(_ index: Int, of tape: JSONTape) -> Self? {
        let node = tape.nodes[index]
        guard node.isNumber else { return nil }
        if node.kind == .integer, let integer = tape.shortInteger(node) { return Self(exactly: integer) }
        switch tape.decimal(node).integer(hasPoint: node.kind == .decimal) {
        case .positive(let integer): return Self(exactly: integer)
        case .negative(let integer): return Self(exactly: integer)
        case .fraction: return nil
        case .unknown: return tape.alone(Self.self, index)
        }
    }
}

extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: JSONScalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: JSONScalar {}

extension Double: JSONScalar {
    static func read(_ index: Int, of tape: JSONTape) -> Double? {
        let node = tape.nodes[index]
        guard node.isNumber else { return nil }
        let decimal = tape.decimal(node)
        return tape.checked(decimal.double ?? Double(tape.text(index)), decimal)
    }
}

extension Float: JSONScalar {
    static func read(_ index: Int, of tape: JSONTape) -> Float? {
        let node = tape.nodes[index]
        guard node.isNumber else { return nil }
        let decimal = tape.decimal(node)
        return tape.checked(decimal.double?.roundedTwice ?? Float(tape.text(index)), decimal)
    }
}

extension Double {
    /// The `Float` that is nearest to a text, from the `Double` that is nearest to it.
    ///
    /// Returns `nil` if this number is halfway between two values of `Float`, because the second rounding could be in the
    /// wrong direction, and outside the normal range of `Float`.
    fileprivate var roundedTwice: Float? {
        guard bitPattern & 0x1FFF_FFFF != 0x1000_0000 else { return nil }
        let single = Float(self)
        return single.isFinite && single.magnitude > .leastNormalMagnitude ? single : nil
    }
}

extension JSONTape.Node {
    fileprivate var isNumber: Bool { kind == .integer || kind == .decimal }
}

extension JSONTape {
    /// Decodes a number with Foundation's decoder, if it is at the limits of its type or if its type is rare.
    func alone<Value: Decodable>(_ type: Value.Type, _ index: Int) -> Value? {
        let node = nodes[index]
        return try? JSONDecoder().decode(type, from: Data(bytes[Int(node.start)..<Int(node.end)]))
    }

    /// The text of a key, or of a string without escapes.
    func text(_ index: Int) -> String {
        let node = nodes[index]
        return bytes.withUnsafeBufferPointer {
            String(decoding: UnsafeBufferPointer(rebasing: $0[Int(node.start)..<Int(node.end)]), as: UTF8.self)
        }
    }

    /// The text of a key before it was converted.
    func originalKey(_ index: Int) -> String {
        guard let source else { return text(index) }
        return source.withUnsafeBytes { source in
            let bytes = source.bindMemory(to: UInt8.self)
            let start = Int(nodes[index].start)
            var end = start
            while bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
            let key = UnsafeBufferPointer(rebasing: bytes[start..<end])
            return String(unsafeUninitializedCapacity: key.count) { JSONEscapes.replace(in: key, to: $0) }
        }
    }

    /// Returns the date of the strategy `iso8601` in its usual form, `2024-05-06T07:08:09Z`. `nil` for other forms, which
    /// Foundation may accept.
    func date(_ index: Int) -> Date? {
        let node = nodes[index]
        guard node.kind == .string else { return nil }
        return bytes.withUnsafeBufferPointer {
            ISO8601.usualDate(UnsafeBufferPointer(rebasing: $0[Int(node.start)..<Int(node.end)]))
        }
    }

    /// The parts of a number.
    func decimal(_ node: Node) -> JSONDecimal {
        bytes.withUnsafeBufferPointer {
            JSONDecimal(UnsafeBufferPointer(rebasing: $0[Int(node.start)..<Int(node.end)]))
        }
    }

    /// Returns an integer of at most 18 digits, so that it cannot overflow. Returns `nil` for more digits and for `-0`.
    fileprivate func shortInteger(_ node: Node) -> Int64? {
        var index = Int(node.start)
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        guard Int(node.end) - index <= 18 else { return nil }
        var sum: Int64 = 0
        while index < Int(node.end) {
            sum = sum &* 10 &+ Int64(bytes[index] &- 0x30)
            index += 1
        }
        guard isNegative else { return sum }
        return sum == 0 ? nil : -sum
    }

    /// Returns `nil` for an infinite number, and for a zero if the text is not zero, as Foundation does. Unlike Foundation,
    /// it accepts `0e1`.
    fileprivate func checked<Number: BinaryFloatingPoint>(_ number: Number?, _ decimal: JSONDecimal) -> Number? {
        guard let number, number.isFinite, !number.isZero || decimal.digits == 0 else { return nil }
        return number
    }

    /// Returns the text of a string. The parser has already validated its escapes.
    fileprivate func unescaped(_ node: Node) -> String {
        bytes.withUnsafeBufferPointer { bytes in
            let text = UnsafeBufferPointer(rebasing: bytes[Int(node.start)..<Int(node.end)])
            return String(unsafeUninitializedCapacity: text.count) { JSONEscapes.replace(in: text, to: $0) }
        }
    }
}
