/// The most recent items, limited in number and size.
package struct RecentItems<Item: Sendable>: Sendable {
    private let limit: Int
    private let byteLimit: Int
    private var entries: [(item: Item, bytes: Int)] = []

    package init(limit: Int, byteLimit: Int) {
        self.limit = limit
        self.byteLimit = byteLimit
    }

    /// The items, newest first.
    package var items: [Item] { entries.map(\.item) }

    /// Adds an item, and removes the oldest ones until the limits are met. An item above the size limit is removed, too.
    package mutating func add(_ item: Item, bytes: Int) {
        entries.insert((item, bytes), at: 0)
        var rest = byteLimit
        var kept = 0
        for entry in entries.prefix(limit) {
            guard entry.bytes <= rest else { break }
            rest -= entry.bytes
            kept += 1
        }
        entries.removeLast(entries.count - kept)
    }
}
