/// What failed, by reason: the first few are said as they happen, all are counted for the end.
struct FailureTally {
    private struct Group {
        let reason: String
        var names: [String] = []
        var count = 0
    }

    /// How many are said as they happen: 5.
    private static let announced = 5
    /// How many reasons are told at the end: 5.
    private static let reasons = 5
    /// How many pictures are named with each: 3.
    private static let names = 3

    private var groups: [Group] = []
    private var count = 0

    /// Counts a failure.
    /// - Returns: Whether it is to be said at once.
    mutating func add(_ name: String?, reason: String) -> Bool {
        count += 1
        let place = groups.firstIndex { $0.reason == reason } ?? groups.count
        if place == groups.count { groups.append(Group(reason: reason)) }
        groups[place].count += 1
        if let name, groups[place].names.count < Self.names { groups[place].names.append(name) }
        return count <= Self.announced
    }

    /// What is said at the end: nothing where each failure was said.
    var summary: [String] {
        guard count > Self.announced else { return [] }
        let ranked = groups.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
        let told = ranked.prefix(Self.reasons).map(\.element)
        let others = count - told.reduce(0) { $0 + $1.count }
        return ["\(count) failed; the same command tries them again:"] + told.map(Self.line)
            + (others > 0 ? ["  \(others) for other reasons"] : [])
    }

    private static func line(_ group: Group) -> String {
        let more = group.count > group.names.count && !group.names.isEmpty ? ", …" : ""
        let names = group.names.isEmpty ? "" : ": " + group.names.joined(separator: ", ") + more
        return "  \(group.count) x \(group.reason)\(names)"
    }
}
