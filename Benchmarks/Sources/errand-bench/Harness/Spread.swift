/// The median and the quartiles of a list of figures. A mean is less useful on a shared machine.
struct Spread {
    let lowerQuartile: Double
    let median: Double
    let upperQuartile: Double

    /// Creates the spread of figures. If there are no figures, all three values are zero.
    init(_ figures: some Sequence<Double>) {
        let sorted = figures.sorted()
        lowerQuartile = Self.quantile(0.25, of: sorted)
        median = Self.quantile(0.5, of: sorted)
        upperQuartile = Self.quantile(0.75, of: sorted)
    }

    /// The quantile of a sorted list, interpolated linearly between two figures.
    private static func quantile(_ part: Double, of sorted: [Double]) -> Double {
        guard let last = sorted.last else { return 0 }
        let position = part * Double(sorted.count - 1)
        let index = Int(position)
        guard index + 1 < sorted.count else { return last }
        return sorted[index] + (sorted[index + 1] - sorted[index]) * (position - Double(index))
    }
}
