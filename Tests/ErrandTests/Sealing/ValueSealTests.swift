import Errand
import ErrandSupport
import Foundation
import TestSupport
import Testing

@Suite struct ValueSealTests {
    private static let key = Secret("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
    private static let other = Secret("HxweHRsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=")

    /// A test case of the GCM specification (McGrew and Viega 2005, appendix B), for keys of 256 bits.
    struct Vector: Sendable, CustomTestStringConvertible {
        let number: Int
        let key: String
        let nonce: String
        let plain: String
        let context: String
        let sealed: String
        var testDescription: String { "case \(number)" }
    }

    private static let longKey = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
    private static let longPlain =
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
    private static let longSealed =
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"

    static let vectors: [Vector] = [
        Vector(
            number: 13, key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12), plain: "",
            context: "", sealed: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            number: 14, key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12),
            plain: String(repeating: "00", count: 16), context: "",
            sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            number: 16, key: longKey, nonce: "cafebabefacedbaddecaf888", plain: longPlain,
            context: "feedfacedeadbeeffeedfacedeadbeefabaddad2", sealed: longSealed + "76fc6ece0f4e1768cddf8853bb2d551b"
        ),
    ]

    private static func bytes(_ hexadecimal: String) -> Data {
        let digits = Array(hexadecimal)
        return Data(
            stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) })
    }

    @Test(arguments: vectors) func `published vectors have their results`(vector: Vector) throws {
        let cipher = try AESGCM(key: Self.bytes(vector.key))
        let (nonce, context) = (Self.bytes(vector.nonce), Self.bytes(vector.context))
        let sealed = cipher.seal(Self.bytes(vector.plain), nonce: nonce, context: context)
        #expect(sealed == Self.bytes(vector.sealed))
        #expect(cipher.open(Self.bytes(vector.sealed), nonce: nonce, context: context) == Self.bytes(vector.plain))
    }

    @Test func `a sealed value is opened with its key and context`() throws {
        let seal = try ValueSeal(key: Self.key)
        let value = Data("token".utf8)
        let sealed = try seal.seal(value, context: "a")
        #expect(try seal.open(sealed, context: "a") == value && sealed.count == value.count + 29)
        #expect(try seal.seal(value, context: "a") != sealed)
        #expect(throws: ServiceError.self) { try seal.open(sealed, context: "b") }
        #expect(throws: ServiceError.self) { try ValueSeal(key: Self.other).open(sealed, context: "a") }
    }

    @Test func `any changed or missing byte is an error`() throws {
        let seal = try ValueSeal(key: Self.key)
        let sealed = try seal.seal(Data("token".utf8), context: "a")
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            let error = #expect(throws: ServiceError.self) { try seal.open(changed, context: "a") }
            #expect(error?.code == .file)
            #expect(throws: ServiceError.self) { try seal.open(sealed.prefix(index), context: "a") }
        }
    }

    @Test func `an old key opens values, and the new one seals them`() throws {
        let old = try ValueSeal(key: Self.key).seal(Data("token".utf8), context: "a")
        let seal = try ValueSeal(key: Self.other, oldKeys: [Self.key])
        #expect(try seal.open(old, context: "a") == Data("token".utf8))
        let new = try seal.seal(Data("token".utf8), context: "a")
        #expect(try ValueSeal(key: Self.other).open(new, context: "a") == Data("token".utf8))
    }

    @Test(arguments: ["", "hush", "AAEC", String(repeating: "A", count: 64)])
    func `another key is a configuration error without its text`(text: String) {
        let error = #expect(throws: ServiceError.self) { try ValueSeal(key: Secret(text)) }
        #expect(error?.code == .configuration && !"\(String(describing: error))".contains("hush"))
    }

    @Test func `your functions get the value and the context`() throws {
        let seal = ValueSeal { value, context in
            context + value
        } open: { sealed, context in
            Data(sealed.dropFirst(context.count))
        }
        let sealed = try seal.seal(Data("token".utf8), context: "a")
        #expect(sealed == Data("atoken".utf8))
        #expect(try seal.open(sealed, context: "a") == Data("token".utf8))
    }
}
