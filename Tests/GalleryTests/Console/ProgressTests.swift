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
        progress.current = ["霧の湖 at dawn"]
        return progress
    }

    @Test(arguments: [
        Row(columns: 80, line: "[#####---------------]   6 of 24  1 failed  1.2 MB  霧の湖 at dawn"),
        Row(columns: 60, line: "[#####---------------]   6 of 24  1 failed  1.2 MB  霧の湖…"),
        Row(columns: 50, line: "[#####---------------]   6 of 24  1 failed  1.2 MB"),
        Row(columns: 49, line: " 6 of 24  1 failed  1.2 MB  霧の湖 at dawn"),
        Row(columns: 36, line: " 6 of 24  1 failed  1.2 MB  霧の湖…"),
        Row(columns: 26, line: " 6 of 24  1 failed  1.2 MB"),
        Row(columns: 25, line: " 6 of 24  1 failed"),
        Row(columns: 12, line: " 6 of 24"),
        Row(columns: 5, line: " 6 o…"),
        Row(columns: 1, line: "…"),
        Row(columns: 0, line: ""),
    ])
    func `the line fits, and the least important part is omitted first`(row: Row) {
        let line = Self.progress.line(columns: row.columns)
        #expect(line == row.line)
        #expect(line.columns <= row.columns)
    }

    @Test func `an incomplete list has no bar and no time left`() {
        var progress = Self.long
        progress.isOpen = true
        #expect(progress.line(columns: 50) == " 6 of 24+  1 failed  1.2 MB  309 kB/s  霧の湖 at…")
    }

    private static var long: Progress {
        var progress = progress
        (progress.elapsed, progress.skipped, progress.bytesPerSecond) = (.seconds(4), 2, 308_642)
        progress.current = ["霧の湖 at dawn", "A title that goes on and on and on", "c"]
        return progress
    }

    @Test(arguments: [
        Row(
            columns: 120,
            line: "[#####---------------]   6 of 24  1 failed  1.2 MB  309 kB/s  0:18 left  "
                + "霧の湖 at dawn, A title that goes on an…, c"),
        Row(columns: 75, line: "[#####---------------]   6 of 24  1 failed  1.2 MB  309 kB/s  0:18 left"),
        Row(columns: 68, line: " 6 of 24  1 failed  1.2 MB  309 kB/s  0:18 left  霧の湖 at dawn, A…"),
        Row(columns: 40, line: " 6 of 24  1 failed  309 kB/s  0:18 left"),
        Row(columns: 30, line: " 6 of 24  1 failed  0:18 left"),
        Row(columns: 20, line: " 6 of 24  1 failed"),
    ])
    func `rate, time left and current pictures are shown if they fit`(row: Row) {
        let line = Self.long.line(columns: row.columns)
        #expect(line == row.line)
        #expect(line.columns <= row.columns)
    }

    @Test(arguments: 0...130) func `the line fits any width`(columns: Int) {
        var progress = Self.long
        progress.current = ["漢字漢字漢字漢字", "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", "e\u{301}e\u{301}e\u{301}"]
        #expect(progress.line(columns: columns).columns <= columns)
    }

    @Test(
        arguments: zip(
            [(1, 2, 4), (10, 11, 20), (50, 100, 100_000), (1, 5, 5), (3, 0, 9)],
            ["0:02 left", "0:09 left", "14:00:55 left", nil, nil]))
    func `the time left is estimated from the current rate`(run: (Int, Int, Int), text: String?) {
        var progress = Progress(total: run.2)
        (progress.elapsed, progress.done, progress.skipped) = (.seconds(run.0), run.1, run.1 > 0 ? 1 : 0)
        let line = progress.line(columns: 80)
        #expect(text.map(line.hasSuffix) ?? !line.contains("left"), "\(line)")
    }

    @Test(
        arguments: zip(
            [(2_000_000, 500_000), (2_000_000, nil), (2_000_000, 0), (nil, 500_000), (1_000_000, 1)]
                as [(Int?, Double?)],
            [
                "1.0 MB of 2.0 MB  500 kB/s  0:02 left", "1.0 MB of 2.0 MB", "1.0 MB of 2.0 MB", "1.0 MB  500 kB/s",
                "1.0 MB  1 byte/s  0:00 left",
            ]))
    func `the size and the time left are shown if all sizes are known`(sizes: (Int?, Double?), text: String) {
        var progress = Progress(total: 3)
        (progress.bytes, progress.totalBytes, progress.bytesPerSecond) = (1_000_000, sizes.0, sizes.1)
        progress.elapsed = .seconds(1)
        #expect(progress.line(columns: 80) == "[--------------------]  0 of 3  \(text)")
        progress.elapsed = .milliseconds(999)
        #expect(!progress.line(columns: 80).contains("/s"))
    }

    @Test func `control characters in a title are escaped`() {
        var progress = Progress(total: 1)
        progress.current = ["a\u{1B}[2J\nb\rc"]
        #expect(progress.line(columns: 80).hasSuffix("a\\u{1B}[2J\\u{A}b\\u{D}c"))
    }

    @Test(
        arguments: zip(
            [0, 1, 999, 1_000, 1_049, 9_949, 9_960, 12_345, 999_499, 999_500, 1_234_567, 268_435_456, 5_000_000_000],
            [
                "0 bytes", "1 byte", "999 bytes", "1.0 kB", "1.0 kB", "9.9 kB", "10 kB", "12 kB", "999 kB", "1.0 MB",
                "1.2 MB", "268 MB", "5.0 GB",
            ]))
    func `sizes are formatted with few digits`(bytes: Int, text: String) {
        #expect(ByteCount.text(bytes) == text)
    }
}
