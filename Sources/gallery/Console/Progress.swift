import Errand
import ErrandSupport

/// The progress of a run and its text line.
package struct Progress: Sendable, Equatable {
    package var total: Int
    /// Whether the total may grow, because the list is not complete.
    package var isOpen: Bool = false
    package var done: Int = 0
    /// The pictures in `done` that required no transfer, because they existed already or can't be requested.
    package var skipped: Int = 0
    package var failed: Int = 0
    /// The bytes of the fetched pictures, and the received bytes of those that are being fetched.
    package var bytes: Int = 0
    /// The bytes of all pictures that require a transfer, or `nil` if a size is unknown.
    package var totalBytes: Int?
    /// The average bytes per second, without the bytes of an earlier run.
    package var bytesPerSecond: Double?
    /// The time since the first fetch.
    package var elapsed: Duration = .zero
    /// The titles of the pictures that are being fetched, oldest first.
    package var current: [String] = []

    package init(total: Int) {
        self.total = total
    }

    /// Returns the line with at most `columns` columns. Less important parts are omitted first.
    ///
    /// `[######----------]   6 of 16  1 failed  1.2 MB of 3.5 MB  400 kB/s  0:05 left  Mountain lake, Sea`
    package func line(columns: Int) -> String {
        var line = facts(columns: columns)
        let withBar = "\(bar)  \(line)"
        if !isOpen, withBar.columns <= columns { line = withBar }
        let rest = columns - line.columns - 2
        if rest >= 8, !current.isEmpty { line += "  " + names(columns: rest) }
        return line.fitted(to: columns)
    }

    private func facts(columns: Int) -> String {
        let count =
            String(repeating: " ", count: max(0, "\(total)".count - "\(done)".count))
            + "\(done) of \(total)\(isOpen ? "+" : "")"
        let failures = failed > 0 ? "\(failed) failed" : nil
        let sum = totalBytes.flatMap { $0 > bytes ? " of \(ByteCount.text($0))" : nil } ?? ""
        let size = bytes > 0 ? ByteCount.text(bytes) + sum : nil
        return Self.joined([(0, count), (1, failures), (4, size), (3, rate), (2, timeLeft)], columns: columns)
    }

    /// Joins the facts that fit in `columns` columns. Selects them by rank, until one does not fit.
    static func joined(_ facts: [(rank: Int, text: String?)], columns: Int) -> String {
        var kept: [(rank: Int, text: String)] = []
        for fact in facts.sorted(by: { $0.rank < $1.rank }) {
            guard let text = fact.text else { continue }
            let used = kept.reduce(0) { $0 + $1.text.columns + 2 }
            guard kept.isEmpty || used + text.columns <= columns else { break }
            kept.append((fact.rank, text))
        }
        return facts.filter { fact in kept.contains { $0.rank == fact.rank } }.compactMap(\.text)
            .joined(separator: "  ")
    }

    /// Returns the names that fit. Each name gets an equal share of the columns, and at least 24.
    private func names(columns: Int) -> String {
        let share = max(24, columns / current.count - 2)
        return current.map { $0.singleLine(limit: 200).fitted(to: share) }.joined(separator: ", ").fitted(to: columns)
    }

    private var seconds: Double { elapsed / .seconds(1) }

    /// The rate, or `nil` in the first second, which is not representative.
    private var rate: String? {
        let rate = bytesPerSecond.flatMap { Int(exactly: $0.rounded()) } ?? 0
        return seconds >= 1 && rate > 0 ? ByteCount.text(rate) + "/s" : nil
    }

    /// The estimated time for the remaining bytes if their number is known, and otherwise for the remaining pictures.
    private var timeLeft: String? {
        let transferred = done - skipped
        guard seconds >= 1, done < total, !isOpen else { return nil }
        if let totalBytes, let bytesPerSecond, bytesPerSecond >= 1 {
            return Self.timeLeft(seconds: Double(max(0, totalBytes - bytes)) / bytesPerSecond)
        }
        guard transferred > 0 else { return nil }
        return Self.timeLeft(seconds: seconds * Double(total - done) / Double(transferred))
    }

    /// Formats a remaining time, such as `0:05 left`.
    static func timeLeft(seconds: Double) -> String? {
        guard let left = Int(exactly: seconds.rounded(.up)), left >= 0 else { return nil }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (left / 3_600, left / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(left % 60)) left"
    }

    private var bar: String { Self.bar(total > 0 ? Double(done) / Double(total) : 0) }

    /// Returns a bar of which a part from 0 to 1 is filled.
    static func bar(_ fraction: Double) -> String {
        let width = 20
        let filled = Int((min(1, max(0, fraction)) * Double(width)).rounded(.down))
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled) + "]"
    }
}

/// Formats sizes in powers of 1,000.
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
