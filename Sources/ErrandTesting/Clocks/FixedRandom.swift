public import Errand

/// A random source that always returns the same value.
///
/// ```swift
/// APILoader(api, session: session, time: clock, random: FixedRandom(fraction: 1))       // every wait at its maximum
/// ```
public struct FixedRandom: RandomSource {
    private let bits: UInt64

    /// Creates a source for this fraction, from 0 to 1. The value 1 stands for the largest number below 1.
    public init(fraction: Double) {
        let scaled = (min(max(0, fraction), 1) * 0x1p53).rounded(.down)
        bits = UInt64(min(scaled, 0x1p53 - 1)) << 11
    }

    /// The same 64 bits on every call.
    public func next() -> UInt64 { bits }
}
