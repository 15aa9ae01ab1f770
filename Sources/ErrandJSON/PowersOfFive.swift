/// The upper 128 bits of the powers of five from 5^-342 to 5^308, with 1 as their first bit.
///
/// They are computed once, in about 50 µs, when the first number needs them.
enum PowersOfFive {
    static let exponents = -342...308

    /// The halves of each power, the upper one first.
    private static let halves: [UInt64] = fractions() + integers()

    static subscript(exponent: Int) -> (high: UInt64, low: UInt64) {
        let index = 2 * (exponent - exponents.lowerBound)
        return (halves[index], halves[index + 1])
    }

    /// The powers from 5^0, truncated.
    private static func integers() -> [UInt64] {
        var halves: [UInt64] = []
        // 5^308 has 716 bits.
        var limbs = [UInt64](repeating: 0, count: 12)
        limbs[0] = 1
        for _ in 0...exponents.upperBound {
            let top = top(of: limbs)
            halves += [top.high, top.low]
            var carry: UInt64 = 0
            for index in limbs.indices {
                let product = limbs[index].multipliedFullWidth(by: 5)
                let (sum, overflows) = product.low.addingReportingOverflow(carry)
                limbs[index] = sum
                carry = product.high + (overflows ? 1 : 0)
            }
        }
        return halves
    }

    /// The powers up to 5^-1. Those from 5^-27 are rounded up, and the others are truncated, as the algorithm requires.
    private static func fractions() -> [UInt64] {
        var pairs: [(high: UInt64, low: UInt64)] = []
        // 2^1024. Divided by 5^342, which has 795 bits, more than 128 bits remain.
        var limbs = [UInt64](repeating: 0, count: 17)
        limbs[16] = 1
        for exponent in 1...(-exponents.lowerBound) {
            var remainder: UInt64 = 0
            for index in limbs.indices.reversed() {
                (limbs[index], remainder) = UInt64(5).dividingFullWidth((remainder, limbs[index]))
            }
            var top = top(of: limbs)
            if exponent <= 27 {
                top.low &+= 1
                if top.low == 0 { top.high += 1 }
            }
            pairs.append(top)
        }
        return pairs.reversed().flatMap { [$0.high, $0.low] }
    }

    /// The first 128 bits of a number that is not zero. Its first limb is the lowest one.
    private static func top(of limbs: [UInt64]) -> (high: UInt64, low: UInt64) {
        let last = limbs.lastIndex { $0 != 0 } ?? 0
        func limb(_ index: Int) -> UInt64 { index >= 0 ? limbs[index] : 0 }
        let shift = UInt64(limb(last).leadingZeroBitCount)
        // A smart shift by 64 bits is zero.
        func shifted(_ index: Int) -> UInt64 { limb(index) << shift | limb(index - 1) >> (64 - shift) }
        return (shifted(last), shifted(last - 1))
    }
}
