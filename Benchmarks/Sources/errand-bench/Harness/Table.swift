/// Rows of text in aligned columns: the first to the left, the others to the right.
struct Table {
    private var rows: [[String]]

    init(_ titles: String...) {
        rows = [titles]
    }

    mutating func add(_ cells: String...) {
        rows.append(cells)
    }

    func print() {
        let widths = (rows.first ?? []).indices.map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        for row in rows {
            let cells = zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }
            Swift.print("  " + cells.joined(separator: "   "))
        }
    }
}

extension Spread {
    /// These parts in percent: the median, and the quartiles around it.
    var percent: String { "\(median.percent) (\(lowerQuartile.percent) … \(upperQuartile.percent))" }
    /// These multiples: the median, and the quartiles around it.
    var ratio: String { "\(median.ratio) (\(lowerQuartile.ratio) … \(upperQuartile.ratio))" }
}

extension Double {
    /// This many microseconds, to a tenth.
    var micros: String { fixed(1) }
    /// This number, to a tenth.
    var tenths: String { fixed(1) }
    /// This part in percent with its sign, to a tenth.
    var percent: String { (self < 0 ? "" : "+") + (self * 100).fixed(1) + " %" }

    /// This multiple, to a hundredth.
    var ratio: String { fixed(2) }
    /// This number without a fraction.
    var whole: String { fixed(0) }

    private func fixed(_ digits: Int) -> String {
        formatted(.number.precision(.fractionLength(digits)).grouping(.never))
    }
}

extension Int {
    /// This many bytes in megabytes, to a tenth.
    var megabytes: String { (Double(self) / 1_000_000).tenths }
}
