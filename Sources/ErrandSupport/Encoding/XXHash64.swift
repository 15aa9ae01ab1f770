package import Foundation

/// The hash function XXH64, which finds damaged data. It offers no protection against intentional changes.
///
/// The values are those of the specification of xxHash, version 0.1.1, with seed 0.
package struct XXHash64: Sendable {
    private static let primes: [UInt64] = [
        0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
        0x27D4_EB2F_1656_67C5,
    ]
    private static let p1 = primes[0], p2 = primes[1], p3 = primes[2], p4 = primes[3], p5 = primes[4]
    private static let stripe = 32

    private var lanes: (UInt64, UInt64, UInt64, UInt64) = (p1 &+ p2, p2, 0, 0 &- p1)
    /// The bytes that do not fill a stripe yet: fewer than 32.
    private var rest: [UInt8] = []
    private var length: UInt64 = 0

    /// Creates a hash without input.
    package init() {}

    /// Returns the hash of bytes.
    package static func hash(_ bytes: Data) -> UInt64 {
        var hash = XXHash64()
        hash.update(bytes)
        return hash.value
    }

    /// Adds bytes.
    package mutating func update(_ bytes: Data) {
        bytes.withUnsafeBytes { add($0) }
    }

    /// The hash of all added bytes.
    package var value: UInt64 {
        var result: UInt64
        if length >= UInt64(Self.stripe) {
            let (a, b, c, d) = lanes
            result = a.rotated(1) &+ b.rotated(7) &+ c.rotated(12) &+ d.rotated(18)
            for lane in [a, b, c, d] { result = (result ^ Self.round(0, lane)) &* Self.p1 &+ Self.p4 }
        } else {
            result = Self.p5
        }
        result &+= length
        rest.withUnsafeBytes { Self.mix($0, into: &result) }
        result = (result ^ (result >> 33)) &* Self.p2
        result = (result ^ (result >> 29)) &* Self.p3
        return result ^ (result >> 32)
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(bytes.count)
        var start = 0
        if !rest.isEmpty {
            start = min(Self.stripe - rest.count, bytes.count)
            rest.append(contentsOf: bytes.prefix(start))
            guard rest.count == Self.stripe else { return }
            rest.withUnsafeBytes { takeStripe($0, 0) }
            rest.removeAll(keepingCapacity: true)
        }
        while start + Self.stripe <= bytes.count {
            takeStripe(bytes, start)
            start += Self.stripe
        }
        rest.append(contentsOf: bytes[start...])
    }

    private mutating func takeStripe(_ bytes: UnsafeRawBufferPointer, _ start: Int) {
        lanes.0 = Self.round(lanes.0, Self.word(bytes, start))
        lanes.1 = Self.round(lanes.1, Self.word(bytes, start + 8))
        lanes.2 = Self.round(lanes.2, Self.word(bytes, start + 16))
        lanes.3 = Self.round(lanes.3, Self.word(bytes, start + 24))
    }

    private static func mix(_ bytes: UnsafeRawBufferPointer, into result: inout UInt64) {
        var index = 0
        while index + 8 <= bytes.count {
            result = (result ^ round(0, word(bytes, index))).rotated(27) &* p1 &+ p4
            index += 8
        }
        if index + 4 <= bytes.count {
            let half = UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)))
            result = (result ^ (half &* p1)).rotated(23) &* p2 &+ p3
            index += 4
        }
        while index < bytes.count {
            result = (result ^ (UInt64(bytes[index]) &* p5)).rotated(11) &* p1
            index += 1
        }
    }

    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        (lane &+ input &* p2).rotated(31) &* p1
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
}

extension UInt64 {
    fileprivate func rotated(_ count: UInt64) -> UInt64 { self << count | self >> (64 - count) }
}
