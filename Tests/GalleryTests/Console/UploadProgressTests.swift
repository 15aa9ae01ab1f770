import Errand
import Testing
import gallery

@Suite struct UploadProgressTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let columns: Int
        let line: String
        var testDescription: String { "\(columns) columns" }
    }

    private static func progress(
        _ completed: Int64, of total: Int64?, rate: Double? = nil, files: Int = 5
    ) -> UploadProgress {
        let transfer = TransferProgress(completed: completed, total: total, rate: rate)
        return UploadProgress(file: "霧の湖.png", number: 2, total: files, transfer: transfer)
    }

    @Test(arguments: [
        Row(
            columns: 120,
            line: "[######--------------]  2 of 5  34 %  1.2 MB of 3.5 MB  400 kB/s  0:06 left  霧の湖.png"),
        Row(columns: 75, line: "[######--------------]  2 of 5  34 %  1.2 MB of 3.5 MB  400 kB/s  0:06 left"),
        Row(columns: 64, line: "2 of 5  34 %  1.2 MB of 3.5 MB  400 kB/s  0:06 left  霧の湖.png"),
        Row(columns: 45, line: "2 of 5  34 %  1.2 MB of 3.5 MB  400 kB/s"),
        Row(columns: 32, line: "2 of 5  34 %  400 kB/s  霧の湖.…"),
        Row(columns: 20, line: "2 of 5  34 %"),
        Row(columns: 4, line: "34 %"),
        Row(columns: 1, line: "…"),
        Row(columns: 0, line: ""),
    ])
    func `the line fits, and the least important part is omitted first`(row: Row) {
        let line = Self.progress(1_200_000, of: 3_500_000, rate: 400_000).line(columns: row.columns)
        #expect(line == row.line)
        #expect(line.columns <= row.columns)
    }

    @Test(
        arguments: zip(
            [
                progress(0, of: 10, files: 1), progress(10, of: 10), progress(12, of: 10), progress(0, of: 0),
                progress(1_200_000, of: nil), progress(1, of: 3, rate: .infinity), progress(1, of: 3, rate: .nan),
                progress(.max, of: .max, rate: 1e300),
            ],
            [
                "[--------------------]  0 %  0 bytes of 10 bytes  霧の湖.png",
                "[####################]  2 of 5  100 %  10 bytes of 10 bytes  霧の湖.png",
                "[####################]  2 of 5  100 %  12 bytes of 10 bytes  霧の湖.png",
                "[####################]  2 of 5  100 %  0 bytes of 0 bytes  霧の湖.png",
                "2 of 5  1.2 MB  霧の湖.png", "[######--------------]  2 of 5  33 %  1 byte of 3 bytes",
                "[######--------------]  2 of 5  33 %  1 byte of 3 bytes",
                "[####################]  2 of 5  100 %  9223372 TB of 9223372 TB",
            ]))
    func `any progress has a line`(progress: UploadProgress, line: String) {
        #expect(progress.line(columns: 100).hasPrefix(line))
    }

    @Test func `control characters in a path are escaped`() {
        let transfer = TransferProgress(completed: 0)
        let progress = UploadProgress(file: "a\u{1B}[2J\nb", number: 1, total: 1, transfer: transfer)
        #expect(progress.line(columns: 80) == "0 bytes  a\\u{1B}[2J\\u{A}b")
    }
}
