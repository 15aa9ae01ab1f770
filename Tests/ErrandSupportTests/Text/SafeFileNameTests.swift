import ErrandSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SafeFileNameTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let name: String?
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ name: String?) {
            (self.text, self.name) = (text, name)
        }
    }

    static let rows: [Row] = [
        Row("rates.pdf", "rates.pdf"), Row("EURO rates.pdf", "EURO rates.pdf"), Row("日本語.txt", "日本語.txt"),
        Row("a/b.txt", "b.txt"), Row(#"C:\temp\b.txt"#, "b.txt"), Row(#"a/b\c"#, "c"), Row("total/", "total"),
        Row("../../etc/passwd", "passwd"), Row(#"..\..\boot.ini"#, "boot.ini"), Row("a/..", nil), Row("a/../", nil),
        Row("/", nil), Row("///", nil), Row(#"\"#, nil), Row("a/ /", nil), Row("a/\u{200E}", "a"),
        Row("", nil), Row(" ", nil), Row(".", nil), Row("..", nil), Row("...", nil), Row(" . . ", nil),
        Row(".\u{200E}.", nil), Row("\u{0}", nil),
        Row(".bashrc", "_.bashrc"), Row("..a", "_..a"), Row(" .a", "_.a"), Row("\u{200B}.a", "_.a"),
        Row("  a.txt  ", "a.txt"), Row("a.txt. . .", "a.txt"), Row("\u{A0}a\u{3000}", "a"), Row("a b", "a b"),
        Row("a\0b\r\n\tc\u{7F}\u{82}.txt", "abc.txt"),
        Row("photo\u{202E}gpj.exe", "photogpj.exe"), Row("\u{2066}a\u{2069}\u{200F}\u{61C}", "a"),
        Row("a\u{200B}\u{FEFF}\u{2060}b\u{2028}\u{2029}c", "abc"),
        Row(#"a<b>c:d"e|f?g*h"#, "a_b_c_d_e_f_g_h"), Row("a%2Fb", "a%2Fb"), Row("~root", "~root"),
        Row("CON", "_CON"), Row("con.txt", "_con.txt"), Row("Nul.tar.gz", "_Nul.tar.gz"), Row("aux .c", "_aux .c"),
        Row("COM0", "_COM0"), Row("lpt9.log", "_lpt9.log"), Row("COM\u{B9}.a", "_COM\u{B9}.a"), Row("LPT³", "_LPT³"),
        Row("CONIN$", "_CONIN$"), Row("conout$.x", "_conout$.x"), Row("C\0ON", "_CON"), Row("PRN.", "_PRN"),
        Row("COM10", "COM10"), Row("CONS", "CONS"), Row("a.con", "a.con"), Row("CONIN", "CONIN"),
        Row("Cafe\u{301}.txt", "Café.txt"), Row("\u{1100}\u{1161}", "\u{AC00}"),
    ]

    @Test(arguments: rows) func `a text from a server becomes a safe name`(row: Row) {
        let name = SafeFileName(row.text)?.description
        // Compared as bytes, because canonical equivalents are equal as strings.
        #expect(name.map { Array($0.utf8) } == row.name.map { Array($0.utf8) }, "\(name ?? "nil")")
    }

    static let longRows: [Row] = [
        Row(String(repeating: "a", count: 255), String(repeating: "a", count: 255)),
        Row(String(repeating: "a", count: 256), String(repeating: "a", count: 255)),
        Row(String(repeating: "a", count: 300) + ".jpeg", String(repeating: "a", count: 250) + ".jpeg"),
        Row(String(repeating: "a", count: 300) + ".tar.gz", String(repeating: "a", count: 248) + ".tar.gz"),
        Row("a." + String(repeating: "b", count: 300), "a." + String(repeating: "b", count: 253)),
        Row(String(repeating: "a", count: 300) + ".a b", String(repeating: "a", count: 255)),
        Row(String(repeating: "é", count: 200) + ".txt", String(repeating: "é", count: 125) + ".txt"),
        Row(String(repeating: "e\u{301}", count: 200), String(repeating: "é", count: 127)),
        Row(String(repeating: "🇩🇪", count: 100) + ".txt", String(repeating: "🇩🇪", count: 31) + ".txt"),
        Row(String(repeating: "a", count: 254) + " .b", String(repeating: "a", count: 253) + ".b"),
        Row(String(repeating: "a", count: 254) + "  bcd", String(repeating: "a", count: 254)),
        Row("con." + String(repeating: "a", count: 300), "_con." + String(repeating: "a", count: 250)),
        Row("CON" + String(repeating: " ", count: 300) + "X", "_CON"),
        Row(
            "CON" + String(repeating: " ", count: 300) + "X.txt",
            "_CON" + String(repeating: " ", count: 247) + ".txt"),
        // One character of more than 255 bytes is cut between two scalars.
        Row("a" + HostileText.marks(1_000, ["\u{302}"]), "\u{E2}" + HostileText.marks(126, ["\u{302}"])),
    ]

    @Test(arguments: longRows) func `a long name is cut and keeps its extension`(row: Row) {
        let name = SafeFileName(row.text)?.description ?? ""
        #expect(Array(name.utf8) == Array((row.name ?? "").utf8), "\(name)")
        #expect(name.utf8.count <= SafeFileName.limit)
    }

    @Test(arguments: [
        ("a.txt", "a (2).txt"), ("a", "a (2)"), ("a.tar.gz", "a (2).tar.gz"), ("Mr. Smith", "Mr. Smith (2)"),
        ("_.bashrc", "_ (2).bashrc"), (".tar.gz", "_ (2).tar.gz"),
        (String(repeating: "a", count: 255), String(repeating: "a", count: 251) + " (2)"),
        (String(repeating: "é", count: 200) + ".txt", String(repeating: "é", count: 123) + " (2).txt"),
    ]) func `a number precedes the extension`(text: String, numbered: String) throws {
        let name = try #require(SafeFileName(text))
        #expect(name.numbered(2) == numbered && name.numbered(9_999).utf8.count <= SafeFileName.limit)
    }

    private static let pieces = [
        ".", "..", "/", "\\", " ", "a", "con", "COM1", ".txt", ".tar", "\u{0}", "\u{301}", "\u{202E}", "\u{200D}", "👩",
        "é",
        ":", "<", "\u{1100}", "\u{1161}", "\u{FB2C}", "\u{2028}", "%2f", "\u{338}", "=", "\u{B9}", "\u{FE0F}", "_", "~",
        String(repeating: "x", count: 120), String(repeating: "\u{0958}", count: 60), "\u{37E}", "\u{2001}",
    ]

    @Test(arguments: 0..<8 as Range<UInt64>) func `random names are safe and stay unchanged`(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for _ in 0..<TestEnvironment.rounds(300, heavy: 5_000) {
            let count = Int.random(in: 0...8, using: &random)
            let text = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            guard let name = SafeFileName(text) else { continue }
            let scalars = name.description.unicodeScalars
            #expect(!scalars.contains { $0.isHidden || "/\\<>:\"|?*".unicodeScalars.contains($0) })
            #expect(scalars.first != "." && scalars.first != " " && scalars.last != "." && scalars.last != " ")
            #expect((1...255).contains(name.description.utf8.count))
            #expect(!SafeFileName.isDeviceName(name.description))
            let again = try #require(SafeFileName(name.description)).description
            #expect(again.utf8.elementsEqual(name.description.utf8), "\(text.debugDescription)")
        }
    }

    @Test(arguments: ProcessorTime.hostileUnits + ["/", "\\", ".", " ", "a", ".a", "\u{200B}", " ."])
    func `a name is made in linear time`(unit: String) async throws {
        #expect(try await ProcessorTime.growth(ofRepeating: unit) { _ = SafeFileName($0) } < 48)
    }
}
