/// Who shares which transfer: pure bookkeeping, so that it can be tried out in every order of events.
///
/// A transfer is shared by everyone who joins under its key while it runs. It is there as long as somebody waits for it.
package struct CoalescingMachine<Key: Hashable & Sendable, Ticket: Hashable & Sendable>: Sendable {
    /// The number of a transfer.
    package typealias Transfer = Int

    /// What one who joins is to do.
    package enum Joining: Sendable, Equatable {
        /// Start the transfer.
        case lead(Transfer)
        /// Wait for one that is under way.
        case follow(Transfer)

        /// Which it is.
        package var transfer: Transfer {
            switch self {
            case .lead(let transfer), .follow(let transfer): transfer
            }
        }
    }

    private struct Group: Sendable {
        let key: Key
        var tickets: Set<Ticket>
    }

    private var groups: [Transfer: Group] = [:]
    private var transfers: [Key: Transfer] = [:]
    private var last: Transfer = 0

    package init() {}

    /// Whether nobody waits for anything.
    package var isEmpty: Bool { groups.isEmpty && transfers.isEmpty }

    /// How many wait for a transfer.
    package func count(of transfer: Transfer) -> Int { groups[transfer]?.tickets.count ?? 0 }

    /// Joins the transfer of a key, or begins one.
    package mutating func join(_ key: Key, _ ticket: Ticket) -> Joining {
        if let transfer = transfers[key] {
            groups[transfer]?.tickets.insert(ticket)
            return .follow(transfer)
        }
        last += 1
        transfers[key] = last
        groups[last] = Group(key: key, tickets: [ticket])
        return .lead(last)
    }

    /// Leaves; true where that was the last one, so that the transfer is for nobody. Whoever comes then begins a new one.
    package mutating func leave(_ transfer: Transfer, _ ticket: Ticket) -> Bool {
        guard groups[transfer]?.tickets.remove(ticket) != nil, groups[transfer]?.tickets.isEmpty == true else {
            return false
        }
        forget(transfer)
        return true
    }

    /// Ends a transfer; those who wait for its outcome.
    package mutating func finish(_ transfer: Transfer) -> Set<Ticket> {
        forget(transfer) ?? []
    }

    @discardableResult
    private mutating func forget(_ transfer: Transfer) -> Set<Ticket>? {
        // As long as a group is there, its key is that of its transfer and of no other.
        guard let group = groups.removeValue(forKey: transfer) else { return nil }
        transfers[group.key] = nil
        return group.tickets
    }
}
