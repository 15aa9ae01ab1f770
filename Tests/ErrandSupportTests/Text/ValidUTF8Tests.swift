import Errand
import ErrandSupport
import Testing

/// Systems before iOS 18 check UTF-8 by decoding it. The tests cover both implementations.
@Suite struct ValidUTF8Tests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let isValid: Bool

        init(_ name: String, _ bytes: [UInt8], isValid: Bool) {
            (testDescription, self.bytes, self.isValid) = (name, bytes, isValid)
        }
    }

    static let rows: [Row] = [
        Row("nothing", [], isValid: true),
        Row("ASCII", Array("abc".utf8), isValid: true),
        Row("two to four bytes", Array("é€😀".utf8), isValid: true),
        Row("the replacement character itself", [0xEF, 0xBF, 0xBD], isValid: true),
        Row("a byte order mark", [0xEF, 0xBB, 0xBF, 0x61], isValid: true),
        Row("not in normal form", Array("e\u{301}".utf8), isValid: true),
        Row("a continuation byte alone", [0x61, 0x80], isValid: false),
        Row("a truncated sequence", [0xE2, 0x82], isValid: false),
        Row("an overlong form", [0xC0, 0xAF], isValid: false),
        Row("a surrogate", [0xED, 0xA0, 0x80], isValid: false),
        Row("beyond U+10FFFF", [0xF4, 0x90, 0x80, 0x80], isValid: false),
        Row("a byte that UTF-8 never has", [0xFF], isValid: false),
    ]

    @Test(arguments: rows) func `both implementations accept only valid UTF-8`(row: Row) {
        let texts = [String(validUTF8: row.bytes), String(comparingUTF8: row.bytes)]
        for text in texts {
            #expect((text != nil) == row.isValid)
            if let text { #expect(Array(text.utf8) == row.bytes) }
        }
    }
}
