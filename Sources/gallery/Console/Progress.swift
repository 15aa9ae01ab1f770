import Errand

/// How far a run has come, and the one line that says so.
package struct Progress: Sendable, Equatable {
    package var total: Int
    package var done: Int = 0
    package var failed: Int = 0
    package var bytes: Int = 0
    /// What is being fetched, as the server named it.
    package var current: String = ""

    package init(total: Int) {
        self.total = total
    }

    /// The line, with at most that many columns; what matters least is left out first.
    ///
    /// `[######----------]  6 of 16  1.2 MB  Mountain lake`
    package func line(columns: Int) -> String {
        let count = String(repeating: " ", count: max(0, "\(total)".count - "\(done)".count)) + "\(done) of \(total)"
        let failures = failed > 0 ? "\(failed) failed" : nil
        let size = bytes > 0 ? ByteCount.text(bytes) : nil
        let facts = [count, failures, size].compactMap(\.self).joined(separator: "  ")
        var line = facts
        let withBar = "\(bar)  \(facts)"
        if withBar.columns <= columns { line = withBar }
        let rest = columns - line.columns - 2
        let title = current.singleLine()
        if rest >= 8, !title.isEmpty { line += "  " + title.fitted(to: rest) }
        return line.fitted(to: columns)
    }

    private var bar: String {
        let width = 20
        let filled = total > 0 ? min(width, done * width / total) : 0
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled) + "]"
    }
}

/// Sizes for people, in powers of 1,000.
package enum ByteCount {
    package static func text(_ bytes: Int) -> String {
        guard bytes >= 1_000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var (value, units) = (Double(bytes) / 1_000, ["kB", "MB", "GB", "TB"][...])
        while value >= 999.5, units.count > 1 {
            value /= 1_000
            units = units.dropFirst()
        }
        let tenths = (value * 10).rounded() / 10
        let number = tenths < 10 ? "\(tenths)" : "\(Int(value.rounded()))"
        return "\(number) \(units.first ?? "")"
    }
}
