import Testing
import gallery

@Suite struct ProgressTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let columns: Int
        let line: String
        var testDescription: String { "\(columns) columns" }
    }

    private static var progress: Progress {
        var progress = Progress(total: 24)
        (progress.done, progress.bytes, progress.failed) = (6, 1_234_567, 1)
        progress.current = "霧の湖 at dawn"
        return progress
    }

    @Test(arguments: [
        Row(columns: 80, line: "[#####---------------]   6 of 24  1 failed  1.2 MB  霧の湖 at dawn"),
        Row(columns: 60, line: "[#####---------------]   6 of 24  1 failed  1.2 MB  霧の湖…"),
        Row(columns: 50, line: "[#####---------------]   6 of 24  1 failed  1.2 MB"),
        Row(columns: 49, line: " 6 of 24  1 failed  1.2 MB  霧の湖 at dawn"),
        Row(columns: 36, line: " 6 of 24  1 failed  1.2 MB  霧の湖…"),
        Row(columns: 26, line: " 6 of 24  1 failed  1.2 MB"),
        Row(columns: 12, line: " 6 of 24  1…"),
        Row(columns: 1, line: "…"),
        Row(columns: 0, line: ""),
    ])
    func `the line fits, and what matters least goes first`(row: Row) {
        let line = Self.progress.line(columns: row.columns)
        #expect(line == row.line)
        #expect(line.columns <= row.columns)
    }

    @Test func `what a server named can't move the cursor`() {
        var progress = Progress(total: 1)
        progress.current = "a\u{1B}[2J\nb\rc"
        #expect(progress.line(columns: 80).hasSuffix("a\u{FFFD}[2J\u{FFFD}b\u{FFFD}c"))
    }

    @Test(
        arguments: zip(
            [0, 1, 999, 1_000, 1_049, 9_949, 9_960, 12_345, 999_499, 999_500, 1_234_567, 268_435_456, 5_000_000_000],
            [
                "0 bytes", "1 byte", "999 bytes", "1.0 kB", "1.0 kB", "9.9 kB", "10 kB", "12 kB", "999 kB", "1.0 MB",
                "1.2 MB", "268 MB", "5.0 GB",
            ]))
    func `sizes are short`(bytes: Int, text: String) {
        #expect(ByteCount.text(bytes) == text)
    }
}

@Suite struct TextWidthTests {
    @Test(
        arguments: zip(
            ["", "lake", "Zürich", "Zu\u{308}rich", "霧の湖", "ｆｕｌｌ", "한글", "🏔️", "👩‍👩‍👧", "🇯🇵", "é\u{301}", "a\u{200B}b", "❤️"],
            [0, 4, 6, 6, 6, 8, 4, 2, 2, 2, 1, 2, 2]))
    func `columns are what a terminal takes`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(
        arguments: zip(
            [("lake", 4), ("lake", 3), ("霧の湖", 5), ("霧の湖", 4), ("lake", 1), ("lake", 0)],
            ["lake", "la…", "霧の…", "霧…", "…", ""]))
    func `a text is cut at a character`(cut: (String, Int), text: String) {
        #expect(cut.0.fitted(to: cut.1) == text)
    }
}
