/// Counts failures by reason. The first few are printed immediately, and a summary of all is printed at the end.
struct FailureTally {
    private struct Group {
        let reason: String
        var names: [String] = []
        var count = 0
    }

    /// The number of failures that are printed immediately: 5.
    private static let announced = 5
    /// The maximum number of reasons in the summary: 5.
    private static let reasons = 5
    /// The maximum number of names per reason: 3.
    private static let names = 3

    private var groups: [Group] = []
    private var count = 0

    /// Counts a failure.
    /// - Returns: Whether to print it immediately.
    mutating func add(_ name: String?, reason: String) -> Bool {
        count += 1
        let index = groups.firstIndex { $0.reason == reason } ?? groups.count
        if index == groups.count { groups.append(Group(reason: reason)) }
        groups[index].count += 1
        if let name, groups[index].names.count < Self.names { groups[index].names.append(name) }
        return count <= Self.announced
    }

    /// The lines of the summary. Empty if each failure was printed immediately.
    var summary: [String] {
        guard count > Self.announced else { return [] }
        let ranked = groups.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
        let told = ranked.prefix(Self.reasons).map(\.element)
        let others = count - told.reduce(0) { $0 + $1.count }
        return ["\(count) failed, run the same command to retry them:"] + told.map(Self.line)
            + (others > 0 ? ["  \(others) for other reasons"] : [])
    }

    private static func line(_ group: Group) -> String {
        let more = group.count > group.names.count && !group.names.isEmpty ? ", …" : ""
        let names = group.names.isEmpty ? "" : ": " + group.names.joined(separator: ", ") + more
        return "  \(group.count) x \(group.reason)\(names)"
    }
}
