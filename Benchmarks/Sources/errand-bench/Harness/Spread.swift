/// The middle of a list of figures, and how far they scatter: on a shared machine a mean says little.
struct Spread {
    let lowerQuartile: Double
    let median: Double
    let upperQuartile: Double

    /// Describes figures; without any, all three are zero.
    init(_ figures: some Sequence<Double>) {
        let sorted = figures.sorted()
        lowerQuartile = Self.quantile(0.25, of: sorted)
        median = Self.quantile(0.5, of: sorted)
        upperQuartile = Self.quantile(0.75, of: sorted)
    }

    /// The figure that a part of the sorted list lies below, between two of them in proportion.
    private static func quantile(_ part: Double, of sorted: [Double]) -> Double {
        guard let last = sorted.last else { return 0 }
        let place = part * Double(sorted.count - 1)
        let index = Int(place)
        guard index + 1 < sorted.count else { return last }
        return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
    }
}
