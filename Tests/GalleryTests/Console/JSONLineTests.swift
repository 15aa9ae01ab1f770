import Errand
import Testing
import gallery

@Suite struct JSONLineTests {
    private struct Photo: Encodable {
        var location = "at k3y-of-mine"
        var likes = 123_456_789
        var note = #"a "quoted" \ K3Y-OF-MINE""#
        var made = Date(timeIntervalSince1970: 0)
    }

    @Test func `a key is masked in strings but not in names or numbers`() throws {
        let line = try JSONLine.text(Photo(), hiding: KeyMask(Secret("k3y-of-mine")))
        #expect(
            line.contains(#""location":"at ‹redacted›""#) && line.contains(#""note":"a \"quoted\" \\ ‹redacted›\"""#))
        #expect(try JSONLine.text(Photo(), hiding: KeyMask(Secret("location"))).contains(#""location":"at k3y"#))
        #expect(try JSONLine.text(Photo(), hiding: KeyMask(Secret("123456"))).contains(#""likes":123456789"#))
        #expect(try JSONLine.text(["a"], hiding: KeyMask(nil)) == #"["a"]"#)
        for mark in ["\u{301}", "\u{FE0F}", "\u{1F3FD}"] {
            let line = try JSONLine.text([mark + "k3y-of-mine", "k3y-of-mine"], hiding: KeyMask(Secret("k3y-of-mine")))
            let shown = mark == "\u{FE0F}" ? #"\ufe0f"# : mark
            #expect(line == #"["\#(shown)‹redacted›","‹redacted›"]"#)
        }
    }

    @Test func `a value that can't be encoded is an error`() {
        #expect(throws: (any Error).self) {
            try JSONLine.text(Photo(made: Date(timeIntervalSince1970: 1e12)), hiding: KeyMask(nil))
        }
    }
}
