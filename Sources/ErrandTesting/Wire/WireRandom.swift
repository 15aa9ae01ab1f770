/// A small seeded random generator (SplitMix64), so that a failing exchange can be reproduced.
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

    /// A number less than the bound, or 0 if the bound is not positive.
    mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(next() % UInt64(bound)) : 0 }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// One of the values. The first value is a separate parameter, so that there is always one.
    mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value { element(of: [first] + others) ?? first }

    mutating func element<Value>(of values: [Value]) -> Value? { values.isEmpty ? nil : values[below(values.count)] }
}
