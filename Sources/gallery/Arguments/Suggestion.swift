extension [String] {
    /// Returns the name that the user probably meant, or `nil` if no name is similar. At most two edits are allowed,
    /// and fewer for short words.
    func nearest(to typed: String) -> String? {
        let limit = Swift.min(2, typed.count / 2)
        guard typed.count <= 64 else { return nil }
        let ranked = map { (name: $0, slips: typed.lowercased().slips(to: $0)) }
        if let best = ranked.min(by: { $0.slips < $1.slips }), best.slips <= limit { return best.name }
        let completions = filter { typed.count > 3 && $0.hasPrefix(typed) }
        return completions.count == 1 ? completions.first : nil
    }
}

extension String {
    /// Returns the edit distance to another word: the number of inserted, deleted, replaced or transposed letters.
    func slips(to other: String) -> Int {
        let (source, target) = (Array(self), Array(other))
        var before: [Int] = []
        var last = Array(0...target.count)
        for i in source.indices {
            var row = [i + 1]
            for j in target.indices {
                let same = source[i] == target[j]
                var cost = Swift.min(last[j] + (same ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, source[i] == target[j - 1], source[i - 1] == target[j] {
                    cost = Swift.min(cost, before[j - 1] + 1)
                }
                row.append(cost)
            }
            (before, last) = (last, row)
        }
        return last[target.count]
    }
}
