/// The processor time of a thread. Unlike elapsed time, it does not depend on what other tests do meanwhile.
package enum CPUTime {
    /// Returns how much more processor time a function takes for a text of 160 kB than for one of 10 kB.
    ///
    /// Linear time gives 16, and quadratic time 256. Each size is measured up to five times, and the least time counts.
    /// The long text is measured once if that already gives less than twice the result of linear time.
    ///
    /// - Parameters:
    ///   - unit: The text to repeat.
    ///   - body: The function to measure. It runs on a separate thread.
    /// - Returns: The time for 160 kB, divided by the time for 10 kB.
    /// - Throws: The error of the function.
    package static func growth(
        ofRepeating unit: String, _ body: @escaping @Sendable (String) throws -> Void
    ) async throws -> Double {
        let (small, large) = (repeating(unit, upTo: 10_000), repeating(unit, upTo: 160_000))
        let short = try await ProcessorTime.least(of: 5) { try body(small) }
        // A shorter time is noise.
        let least = max(short, 20e-6)
        let first = try await ProcessorTime.least(of: 1) { try body(large) }
        guard first > 32 * least else { return first / least }
        return min(first, try await ProcessorTime.least(of: 4) { try body(large) }) / least
    }

    private static func repeating(_ unit: String, upTo bytes: Int) -> String {
        "a" + String(repeating: unit, count: bytes / max(1, unit.utf8.count))
    }
}

extension CPUTime {
    /// Units that are slow to normalize, compare or split into characters when there are many of them.
    package static let hostileUnits: [String] = [
        // Marks of one class, and of two classes in the order that normalization reverses.
        "\u{301}", "\u{301}\u{316}",
        // Parts of one character, and pairs with boundaries that depend on all preceding characters.
        "\u{200D}\u{1F469}", "\u{1F1E6}", "\u{915}\u{94D}", "\u{1100}",
    ]
}
