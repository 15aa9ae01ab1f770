/// Rows of text in aligned columns. The first column is aligned left, the others right.
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
    /// The median and the quartiles of fractions, in percent.
    var percent: String { "\(median.percent) (\(lowerQuartile.percent) … \(upperQuartile.percent))" }
    /// The median and the quartiles of ratios.
    var ratio: String { "\(median.ratio) (\(lowerQuartile.ratio) … \(upperQuartile.ratio))" }
}

extension Double {
    /// The number of microseconds with one decimal.
    var micros: String { fixed(1) }
    /// The number with one decimal.
    var tenths: String { fixed(1) }
    /// The fraction in percent, with its sign and one decimal.
    var percent: String { (self < 0 ? "" : "+") + (self * 100).fixed(1) + " %" }

    /// The ratio with two decimals.
    var ratio: String { fixed(2) }
    /// The number without decimals.
    var integer: String { fixed(0) }

    private func fixed(_ digits: Int) -> String {
        formatted(.number.precision(.fractionLength(digits)).grouping(.never))
    }
}

extension Int {
    /// The number of bytes in megabytes, with one decimal.
    var megabytes: String { (Double(self) / 1_000_000).tenths }
}
