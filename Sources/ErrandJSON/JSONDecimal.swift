/// A number of a JSON text: an integer of at most 64 bits, multiplied by a power of ten.
struct JSONDecimal {
    /// The number of digits that always fit.
    private static let safeDigits = 19
    /// Parsing of an exponent stops at this value. A text has fewer digits, so the number is then zero or infinite.
    private static let maximumExponent: Int64 = 1_000_000_000_000

    let isNegative: Bool
    /// The first 19 or 20 digits, without leading zeros.
    private(set) var digits: UInt64 = 0
    private(set) var exponent = 0
    /// Whether the text has further digits that are not zero.
    private(set) var isTruncated = false

    /// Parses a number. The parser has already checked its grammar.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        isNegative = text.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        let range = start..<min(text.count, start + Self.safeDigits)
        let (end, point) = Self.parseLeadingDigits(of: text, in: range, into: &digits)
        var (index, isFraction, isFull) = (end, point != nil, false)
        if let point { exponent = point + 1 - end }
        while index < text.count {
            let digit = text[index] &- 0x30
            if digit < 10 {
                if !isFull, let next = digits.appending(digit) {
                    digits = next
                    if isFraction { exponent -= 1 }
                } else {
                    isFull = true
                    if digit != 0 { isTruncated = true }
                    if !isFraction { exponent += 1 }
                }
            } else if text[index] == UInt8(ascii: ".") {
                isFraction = true
            } else {
                break
            }
            index += 1
        }
        guard index < text.count else { return }
        exponent = Int(clamping: Int64(exponent) + Self.exponent(text, from: index + 1))
    }

    /// Parses digits and a decimal point up to the end of the range or the exponent. The range must be so short that its digits
    /// fit in 64 bits.
    /// - Returns: The index after the last digit or decimal point, and the index of the decimal point, or `nil` if there is
    ///   none.
    @inline(__always)
    private static func parseLeadingDigits(
        of text: UnsafeBufferPointer<UInt8>, in range: Range<Int>, into digits: inout UInt64
    ) -> (end: Int, point: Int?) {
        var (index, value, point) = (range.lowerBound, 0 as UInt64, nil as Int?)
        while index < range.upperBound {
            let digit = text[index] &- 0x30
            if digit < 10 {
                value = value &* 10 &+ UInt64(digit)
            } else if text[index] == UInt8(ascii: ".") {
                point = index
            } else {
                break
            }
            index += 1
        }
        digits = value
        return (index, point)
    }

    private static func exponent(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int64 {
        var index = start
        let isNegative = text[index] == UInt8(ascii: "-")
        if isNegative || text[index] == UInt8(ascii: "+") { index += 1 }
        var sum: Int64 = 0
        while index < text.count, sum < maximumExponent {
            sum = sum * 10 + Int64(text[index] &- 0x30)
            index += 1
        }
        return isNegative ? -sum : sum
    }
}

extension UInt64 {
    /// This number with one more digit, or `nil` if it does not fit.
    fileprivate func appending(_ digit: UInt8) -> UInt64? {
        let (product, overflows) = multipliedReportingOverflow(by: 10)
        let (sum, carries) = product.addingReportingOverflow(UInt64(digit))
        return overflows || carries ? nil : sum
    }
}

extension JSONDecimal {
    enum Integer {
        case positive(UInt64)
        case negative(Int64)
        /// The number is not an integer.
        case fraction
        /// Foundation's decoder must decode the number: it is zero, does not fit in 64 bits, or has a decimal point or an
        /// exponent and is too large for this type.
        case unknown
    }

    /// The number as an integer.
    ///
    /// Foundation converts a text with a decimal point or an exponent (`1.0`, `1e2`) to a `Double` first. Only values below
    /// 2^53 are therefore converted here.
    func integer(hasPoint: Bool) -> Integer {
        guard digits != 0, !isTruncated else { return .unknown }
        guard exponent != 0 || hasPoint else { return isNegative ? Self.negative(digits) : .positive(digits) }
        guard digits < 1_000_000_000_000_000, (-15...15).contains(exponent) else { return .unknown }
        let power = Self.integerPowers[abs(exponent)]
        guard exponent > 0 else {
            let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: power)
            guard remainder == 0 else { return .fraction }
            return isNegative ? Self.negative(quotient) : .positive(quotient)
        }
        let (product, overflows) = digits.multipliedReportingOverflow(by: power)
        guard !overflows, product < 1 << 53 else { return .unknown }
        return isNegative ? Self.negative(product) : .positive(product)
    }

    private static func negative(_ magnitude: UInt64) -> Integer {
        magnitude <= 1 << 63 ? .negative(Int64(truncatingIfNeeded: 0 &- magnitude)) : .unknown
    }

    private static let integerPowers: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
    ]
}

extension JSONDecimal {
    /// The nearest `Double`, which may be infinite, or a zero if no digit other than zero was read or if the number is
    /// too small. `nil` if this algorithm cannot find it.
    var double: Double? {
        guard let magnitude = Self.nearest(digits, exponent) else { return nil }
        // The number lies between two integers, multiplied by a power of ten. If both have the same nearest `Double`, it
        // is the result.
        if isTruncated, digits == .max || Self.nearest(digits + 1, exponent) != magnitude { return nil }
        return isNegative ? -magnitude : magnitude
    }

    /// Powers of ten that are exact.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]

    /// The nearest `Double` of `digits` × 10 ^ `exponent`.
    ///
    /// If both factors are exact, the result of one operation is rounded once (Clinger 1990). Otherwise, this is the
    /// algorithm of Eisel and Lemire (Lemire 2021, "Number Parsing at a Gigabyte per Second", section 5).
    private static func nearest(_ digits: UInt64, _ exponent: Int) -> Double? {
        if digits <= 1 << 53, (-22...22).contains(exponent) {
            return exponent < 0 ? Double(digits) / powers[-exponent] : Double(digits) * powers[exponent]
        }
        guard digits != 0, exponent >= PowersOfFive.exponents.lowerBound else { return 0 }
        guard exponent <= PowersOfFive.exponents.upperBound else { return .infinity }
        let shift = digits.leadingZeroBitCount
        let product = product(digits << UInt64(shift), exponent)
        if product.low == .max, !(-27...55).contains(exponent) { return nil }
        let upper = Int(product.high >> 63)
        let dropped = UInt64(upper + 9)
        var significand = product.high >> dropped
        // The binary exponent of 10 ^ `exponent` is its product with log2(10), here in fixed point.
        var biased = ((217_706 &* exponent) >> 16) + 63 + upper - shift + 1_023
        if biased <= 0 {
            guard biased > -63 else { return 0 }
            significand >>= UInt64(1 - biased)
            // A carry results in the bits of the smallest normal number.
            return Double(bitPattern: (significand + (significand & 1)) >> 1)
        }
        let isHalfway = product.low <= 1 && (-4...23).contains(exponent) && significand & 3 == 1
        if isHalfway, significand << dropped == product.high { significand &= ~1 }
        significand = (significand + (significand & 1)) >> 1
        if significand >= 2 << 52 {
            significand = 1 << 52
            biased += 1
        }
        guard biased < 0x7FF else { return .infinity }
        return Double(bitPattern: significand & ~(1 << 52) | UInt64(biased) << 52)
    }

    /// The upper 128 bits of the product of a significand and a power of five. The lower half is computed only if it can
    /// influence the result.
    private static func product(_ digits: UInt64, _ exponent: Int) -> (high: UInt64, low: UInt64) {
        let power = PowersOfFive[exponent]
        let first = digits.multipliedFullWidth(by: power.high)
        guard first.high & 0x1FF == 0x1FF else { return (first.high, first.low) }
        let second = digits.multipliedFullWidth(by: power.low)
        let (low, carries) = first.low.addingReportingOverflow(second.high)
        return (carries ? first.high &+ 1 : first.high, low)
    }
}
