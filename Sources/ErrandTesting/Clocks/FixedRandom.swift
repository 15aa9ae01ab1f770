public import Errand

/// A source of randomness that always draws the same, or draws from a seed.
///
/// ```swift
/// APILoader(api, session: session, time: clock, random: FixedRandom(fraction: 1))       // every wait at its bound
/// ```
public struct FixedRandom: RandomSource {
    private let bits: UInt64

    /// Always draws this fraction; 0 to 1, where 1 is the number just below it.
    public init(fraction: Double) {
        let scaled = (min(max(0, fraction), 1) * 0x1p53).rounded(.down)
        bits = UInt64(min(scaled, 0x1p53 - 1)) << 11
    }

    /// The same 64 bits as ever.
    public func next() -> UInt64 { bits }
}
