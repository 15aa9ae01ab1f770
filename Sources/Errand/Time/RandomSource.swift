import ErrandSupport

/// A source of random numbers. The library uses it for all jitter, keys and verifiers that it generates.
public protocol RandomSource: Sendable {
    /// Returns the next 64 random bits.
    func next() -> UInt64
}

/// The system's random number generator, which is suitable for secrets.
public struct SystemRandom: RandomSource {
    /// Creates the source.
    public init() {}

    /// Returns the next 64 random bits.
    public func next() -> UInt64 { .random(in: .min ... .max) }
}

extension RandomSource where Self == SystemRandom {
    /// The system's random number generator, which is suitable for secrets.
    public static var system: SystemRandom { SystemRandom() }
}

extension RandomSource {
    /// Returns a number from 0 up to, but not including, 1.
    package func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns random bytes.
    package func bytes(_ count: Int) -> [UInt8] {
        (0..<max(0, count)).map { _ in UInt8(truncatingIfNeeded: next() >> 24) }
    }

    /// Returns a random UUID (RFC 9562, section 5.4).
    package func uuid() -> String {
        var bytes = bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { bytes[$0].hexadecimal }
        return groups.joined(separator: "-")
    }
}
