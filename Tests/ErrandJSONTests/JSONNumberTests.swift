import ErrandJSON
import Foundation
import TestSupport
import Testing

/// Random numbers, the same in every run. Each must have the bits that the C library computes.
@Suite struct JSONNumberTests {
    static let decoder = JSONDecoder()

    enum Form: CaseIterable {
        case shortest, seventeenDigits, largeExponent, manyDigits, fraction, halfway, aboutNineteenDigits

        func text(_ generator: inout SplitMix) -> String {
            var bits: UInt64 { .random(in: 0..<0x7FF0_0000_0000_0000, using: &generator) }
            var digits: UInt64 { .random(in: 1 ... .max, using: &generator) }
            switch self {
            case .shortest: return "-\(Double(bitPattern: bits))"
            case .seventeenDigits: return String(format: "%.16e", Double(bitPattern: bits))
            case .largeExponent: return "\(digits)e\(Int.random(in: -340...290, using: &generator))"
            case .manyDigits: return "\(digits)\(digits).\(digits)E-\(Int.random(in: 0...370, using: &generator))"
            case .fraction: return "0.\(String(repeating: "0", count: Int(digits % 8)))\(digits)"
            case .halfway:
                // Between 2^53 and 2^54, each odd number is in the middle between two `Double`s.
                let odd = (bits & 0x1F_FFFF_FFFF_FFFF | 1) + 1 << 53
                return "\(odd | 1)\(["", ".0", ".000000000000000000000000000001"][Int(digits % 3)])"
            case .aboutNineteenDigits:
                // More than 19 digits may not fit in 64 bits.
                var text = "\(digits)\(digits)".prefix(.random(in: 17...22, using: &generator))
                text.insert(
                    ".", at: text.index(text.startIndex, offsetBy: .random(in: 1..<text.count, using: &generator)))
                return text + ["", "0", "e5", "E-3"][Int(digits % 4)]
            }
        }
    }

    @Test(arguments: Form.allCases) func `a random number is the nearest Double`(form: Form) throws {
        var generator = SplitMix(state: 26)
        for _ in 0..<TestEnvironment.rounds(20, heavy: 1_000, patient: 2) {
            let texts = (0..<200).map { _ in form.text(&generator) }
            for text in texts where Double(text).map({ $0.isFinite && !$0.isZero }) == true {
                let expected = try #require(Double(text))
                let number = try #require(Self.decoder.decodeFromTape(Double.self, from: Data(text.utf8)), "\(text)")
                #expect(number.bitPattern == expected.bitPattern, "\(text)")
            }
        }
    }

    /// Published cases that are hard to round, errata of PHP and Java, and the limits of the range.
    @Test(arguments: [
        "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308", "4.9406564584124654e-324",
        "2.4703282292062328e-324", "1.7976931348623157e308", "1.797693134862315807e308", "9007199254740993",
        "9007199254740992.999999999999999999999999", "9007199254740993.0000000000000000000001", "1e22", "1e23",
        "8.5e22",
        "6.631236846766476e-316", "3.237883913302901290e-319", "5e-324", "1448997445238699", "6929495644600919.5",
        "3.7455744005952583e15", "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126", "10000000000000000000", "18446744073709551615",
        "18446744073709551616", "123456789012345678901234567890", "0.000000000000000000000000000000000000001e39",
        "7.2057594037927933e16", "1090544144181609348671888949248", "2.2250738585072013e-308",
    ])
    func `a number that is hard to round is the nearest Double`(text: String) throws {
        for text in [text, "-\(text)"] {
            let number = try #require(Self.decoder.decodeFromTape(Double.self, from: Data(text.utf8)))
            #expect(number.bitPattern == Double(text)?.bitPattern, "\(text)")
        }
    }

    @Test(arguments: ["1e309", "-1e309", "1.7976931348623159e308", "1e-400", "2.4703282292062327e-324"])
    func `a number outside the range is left to Foundation's decoder`(text: String) {
        #expect(Self.decoder.decodeFromTape(Double.self, from: Data(text.utf8)) == nil)
    }

    @Test func `a random number is the nearest Float`() throws {
        var generator = SplitMix(state: 27)
        for round in 0..<TestEnvironment.rounds(3_000, heavy: 100_000, patient: 300) {
            let number = Float(bitPattern: .random(in: 0..<0x7F80_0000, using: &generator))
            // The middle between two numbers, and its neighbors.
            let middle = (Double(number) + Double(number.nextUp)) / 2
            let text = "\([Double(number), middle, middle.nextUp, middle.nextDown][round % 4])"
            guard let expected = Float(text), expected.isFinite, expected > 0 else { continue }
            let found = try #require(Self.decoder.decodeFromTape(Float.self, from: Data(text.utf8)), "\(text)")
            #expect(found.bitPattern == expected.bitPattern, "\(text)")
        }
    }

    @Test func `a random number is the same Decimal as with Foundation's decoder`() throws {
        var generator = SplitMix(state: 28)
        for round in 0..<TestEnvironment.rounds(2_000, heavy: 50_000, patient: 200) {
            let whole = Int64.random(in: -100_000_000...100_000_000, using: &generator)
            let fraction = UInt32.random(in: 0 ... .max, using: &generator)
            let exponent = Int.random(in: -25...25, using: &generator)
            let text =
                switch round % 5 {
                case 0: "\(whole).\(fraction)"
                case 1: "\(whole).\(fraction)E\(exponent < 0 ? "" : "+")\(exponent)"
                case 2: "0.000\(fraction)"
                case 3: "\(whole).500"
                default: "\(Int64.random(in: .min ... .max, using: &generator))"
                }
            let data = Data(text.utf8)
            let expected = try Self.decoder.decode(Decimal.self, from: data)
            let found = try #require(Self.decoder.decodeFromTape(Decimal.self, from: data), "\(text)")
            // Equal numbers can have different representations, and then different texts.
            #expect(found == expected && "\(found)" == "\(expected)", "\(text)")
        }
    }
}
