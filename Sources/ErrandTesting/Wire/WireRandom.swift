/// A small seeded generator (SplitMix64), so that a failing exchange can be made again.
struct WireRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64, index: Int) {
        state = seed
        state = next() ^ UInt64(bitPattern: Int64(index))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Less than a bound; 0 where that is not positive.
    mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(next() % UInt64(bound)) : 0 }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// One of some values, which must not be none: the first one is what the compiler can rely on.
    mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value { element(of: [first] + others) ?? first }

    mutating func element<Value>(of values: [Value]) -> Value? { values.isEmpty ? nil : values[below(values.count)] }
}
