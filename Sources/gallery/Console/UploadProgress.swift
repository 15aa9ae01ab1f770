package import Errand
import ErrandSupport

/// The progress of an upload and its text line.
package struct UploadProgress: Sendable, Equatable {
    /// The path of the file.
    package var file: String
    /// The number of the file, from 1.
    package var number: Int
    /// The number of files.
    package var total: Int
    /// The progress of the file.
    package var transfer: TransferProgress

    package init(file: String, number: Int, total: Int, transfer: TransferProgress) {
        self.file = file
        self.number = number
        self.total = total
        self.transfer = transfer
    }

    /// Returns the line with at most `columns` columns. Less important parts are omitted first.
    ///
    /// `[######--------------]  2 of 5  34 %  1.2 MB of 3.5 MB  400 kB/s  0:06 left  lake.png`
    package func line(columns: Int) -> String {
        let count = total > 1 ? "\(number) of \(total)" : nil
        let rate = transfer.rate.flatMap { Int(exactly: $0.rounded()) }.map { ByteCount.text($0) + "/s" }
        let left = transfer.remaining.flatMap { Progress.timeLeft(seconds: $0 / .seconds(1)) }
        var line = Progress.joined([(1, count), (0, percent), (3, size), (2, rate), (4, left)], columns: columns)
        let withBar = "\(Progress.bar(transfer.fraction ?? 0))  \(line)"
        if transfer.fraction != nil, withBar.columns <= columns { line = withBar }
        let rest = columns - line.columns - 2
        if rest >= 8 { line += "  " + file.singleLine(limit: 200).fitted(to: rest) }
        return line.fitted(to: columns)
    }

    /// The sent part, or the sent bytes if the size is unknown.
    private var percent: String {
        transfer.fraction.map { "\(Int(($0 * 100).rounded(.down))) %" } ?? text(transfer.completed)
    }

    private var size: String? { transfer.total.map { "\(text(transfer.completed)) of \(text($0))" } }

    private func text(_ bytes: Int64) -> String { ByteCount.text(Int(clamping: bytes)) }
}
