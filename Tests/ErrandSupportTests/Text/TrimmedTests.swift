import Errand
import ErrandSupport
import Testing

@Suite struct TrimmedTests {
    @Test(arguments: [
        "", " ", " \t\r\n ", "a", " a", "a ", "\ta b\n", "\u{A0}a\u{A0}", "\u{200B}a", "a\u{301}", " \u{301}a", "é",
        "\u{85}a",
        "\u{3000}x\u{2028}", "\0", "\u{7F} ", "\r\na\r\n",
    ])
    func `text is trimmed to the same result as by Foundation`(text: String) {
        for characters in [CharacterSet.whitespaces, .whitespacesAndNewlines] {
            #expect(text.trimmed(characters) == text.trimmingCharacters(in: characters))
            #expect(("x" + text).dropFirst().trimmed(characters) == text.trimmingCharacters(in: characters))
        }
    }
}
