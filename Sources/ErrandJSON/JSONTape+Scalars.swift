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
        if node.kind == .integer, let integer = tape.integer(node) { return Self(exactly: integer) }
        return node.isNumber ? tape.alone(Self.self, index) : nil
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
        return tape.exact(node) ?? tape.rounded(index) ?? tape.zero(node) ?? tape.alone(Double.self, index)
    }
}

extension Float: JSONScalar {
    static func read(_ index: Int, of tape: JSONTape) -> Float? {
        let node = tape.nodes[index]
        guard node.isNumber else { return nil }
        return tape.rounded(index) ?? tape.zero(node) ?? tape.alone(Float.self, index)
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

    /// Returns `nil` if the number does not fit, and for `-0`, which an integer cannot represent.
    fileprivate func integer(_ node: Node) -> Int64? {
        var index = Int(node.start)
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        guard Int(node.end) - index <= 18 else { return nil }  // no overflow below 10^18
        var sum: Int64 = 0
        while index < Int(node.end) {
            sum = sum &* 10 &+ Int64(bytes[index] &- 0x30)
            index += 1
        }
        guard isNegative else { return sum }
        return sum == 0 ? nil : -sum
    }

    /// Returns a number of at most 15 digits without an exponent. It is the quotient of an exact integer and an exact
    /// power of ten, so that the result is rounded once. Returns `nil` for other numbers, and for a negative zero.
    fileprivate func exact(_ node: Node) -> Double? {
        var index = Int(node.start)
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        guard Int(node.end) - index <= 16 else { return nil }
        var sum: Int64 = 0
        var point: Int?
        while index < Int(node.end) {
            let digit = bytes[index] &- 0x30
            index += 1
            if digit < 10 {
                sum = sum &* 10 &+ Int64(digit)
            } else if digit == UInt8(ascii: ".") &- 0x30 {
                point = index
            } else {
                return nil
            }
        }
        if sum == 0 { return isNegative ? nil : 0 }
        guard sum < 1_000_000_000_000_000 else { return nil }
        let number = Double(isNegative ? -sum : sum)
        return point.map { number / Self.powers[Int(node.end) - $0] } ?? number
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// Returns the nearest number, or `nil` if it is zero, subnormal or infinite.
    fileprivate func rounded<Number: LosslessStringConvertible & BinaryFloatingPoint>(_ index: Int) -> Number? {
        Number(text(index)).flatMap { $0.isNormal ? $0 : nil }
    }

    /// Returns a zero with its sign, for any exponent. Foundation rejects `0e1`. Returns `nil` if a digit is not zero.
    func zero<Number: BinaryFloatingPoint>(_ node: Node) -> Number? {
        let number = bytes[Int(node.start)..<Int(node.end)]
        let isZero = number.prefix { $0 | 0x20 != UInt8(ascii: "e") }.allSatisfy {
            !$0.isDigit || $0 == UInt8(ascii: "0")
        }
        guard isZero else { return nil }
        return number.first == UInt8(ascii: "-") ? -0.0 : 0
    }

    /// Returns the text of a string. The parser has already validated its escapes.
    fileprivate func unescaped(_ node: Node) -> String {
        var units: [UInt8] = []
        units.reserveCapacity(Int(node.end - node.start))
        var index = Int(node.start)
        while index < Int(node.end) {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                units.append(byte)
                continue
            }
            let escape = bytes[index]
            index += 1
            switch escape {
            case UInt8(ascii: "b"): units.append(0x08)
            case UInt8(ascii: "f"): units.append(0x0C)
            case UInt8(ascii: "n"): units.append(0x0A)
            case UInt8(ascii: "r"): units.append(0x0D)
            case UInt8(ascii: "t"): units.append(0x09)
            case UInt8(ascii: "u"): units.append(contentsOf: scalar(at: &index).utf8)
            default: units.append(escape)
            }
        }
        return String(decoding: units, as: UTF8.self)
    }

    private func scalar(at index: inout Int) -> Character {
        func unit() -> UInt16 {
            defer { index += 4 }
            return UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16) ?? 0xFFFD
        }
        var pair = [unit()]
        if UTF16.isLeadSurrogate(pair[0]) {
            index += 2
            pair.append(unit())
        }
        return Character(String(decoding: pair, as: UTF16.self))
    }
}
