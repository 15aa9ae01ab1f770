import Errand
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EntityTagTests {
    @Test(arguments: [
        (#""""#, "", false), (#"W/"""#, "", true), (#""xyzzy""#, "xyzzy", false), (#"W/"xyzzy""#, "xyzzy", true),
        (#""a/b,c;d=W/\""#, #"a/b,c;d=W/\"#, false), (#""é""#, "é", false), (##""!#~""##, "!#~", false),
    ]) func `a valid tag is parsed and printed unchanged`(text: String, opaque: String, isWeak: Bool) throws {
        let tag = try #require(EntityTag(text))
        #expect(tag.opaque == opaque && tag.isWeak == isWeak && tag.description == text)
    }

    @Test(arguments: [
        "", "\"", "xyzzy", "W/", "W/\"", "w/\"a\"", "W\"a\"", "/\"a\"", "W/W/\"a\"", "W/ \"a\"", " \"a\"", "\"a\" ",
        "\"a",
        "a\"", "\"a\"b\"", "\"a b\"", "\"a\tb\"", "\"a\r\nX: 1\"", "\"\0\"", "\"\u{7F}\"", "\"a\", \"b\"", "*", "'a'",
        "“a”",
    ]) func `a malformed tag is refused`(text: String) {
        #expect(EntityTag(text) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([EntityTag].self, from: JSONEncoder().encode([text]))
        }
    }

    /// The examples of RFC 9110, section 8.8.3.2.
    @Test(arguments: [
        (#"W/"1""#, #"W/"1""#, false, true), (#"W/"1""#, #"W/"2""#, false, false), (#"W/"1""#, #""1""#, false, true),
        (#""1""#, #""1""#, true, true),
    ]) func `tags are compared strongly and weakly`(one: String, other: String, strongly: Bool, weakly: Bool) throws {
        let (one, other) = (try #require(EntityTag(one)), try #require(EntityTag(other)))
        #expect(one.matchesStrongly(other) == strongly && other.matchesStrongly(one) == strongly)
        #expect(one.matchesWeakly(other) == weakly && other.matchesWeakly(one) == weakly)
        #expect((one == other) == (one.description == other.description))
    }

    @Test func `canonical equivalents are different tags`() throws {
        let (one, other) = (try #require(EntityTag("\"\u{E9}\"")), try #require(EntityTag("\"e\u{301}\"")))
        #expect(one.description == other.description && one != other && !one.matchesWeakly(other))
        #expect(Set([one, other, one]).count == 2)
    }

    @Test func `a tag is stored as its text`() throws {
        let tags = [EntityTag("W/\"a\""), EntityTag("\"b\"")].compactMap(\.self)
        let json = try JSONEncoder.errand.encode(tags)
        #expect(try JSONDecoder().decode([String].self, from: json) == ["W/\"a\"", "\"b\""])
        #expect(try JSONDecoder().decode([EntityTag].self, from: json) == tags)
    }

    @Test(arguments: TestEnvironment.sample(["\"", "W/", "a", "\\"] + ProcessorTime.hostileUnits))
    func `hostile tags are parsed and compared in linear time`(unit: String) async throws {
        let growth = try await ProcessorTime.growth(ofRepeating: unit) { text in
            let (one, other) = (EntityTag("\"\(text)\""), EntityTag("\"\(text)\u{301}\""))
            _ = one == other || Set([one, other]).count == 1
        }
        #expect(growth < 48)
        #expect(EntityTag(String(repeating: "\"", count: 1 << 20)) == nil)
    }
}
