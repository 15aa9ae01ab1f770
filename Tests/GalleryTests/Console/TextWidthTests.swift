import Testing
import gallery

@Suite struct TextWidthTests {
    @Test(arguments: [
        ("abc", 3), ("Zürich", 6), ("e\u{301}", 1), ("é\u{301}", 1), ("ｆｕｌｌ", 8), ("❤️", 2), ("🏔️", 2), ("霧の湖", 6),
        ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("நா", 2), ("นำ", 2),
        ("क्ष", 2), ("👩‍👩‍👧", 2), ("🏔\u{FE0F}", 2), ("🇩🇪", 2), ("👍🏽", 2), ("a\u{200B}\u{7}", 1), ("1", 1), ("", 0),
    ])
    func `the width of a text matches terminals`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(
        arguments: zip(
            [("lake", 4), ("lake", 3), ("霧の湖", 5), ("霧の湖", 4), ("நாநாநா", 5), ("lake", 1), ("lake", 0)],
            ["lake", "la…", "霧の…", "霧…", "நாநா…", "…", ""]))
    func `a text is truncated between characters`(cut: (String, Int), text: String) {
        #expect(cut.0.fitted(to: cut.1) == text)
    }
}
