/// The state machine that assigns callers to transfers. It does no I/O.
///
/// All callers that join under one key while a transfer runs share this transfer. A transfer exists as long as at
/// least one caller waits for it.
package struct CoalescingMachine<Key: Hashable & Sendable, Ticket: Hashable & Sendable>: Sendable {
    /// The number that identifies a transfer.
    package typealias Transfer = Int

    /// The action of a caller that joins.
    package enum Joining: Sendable, Equatable {
        /// Start the transfer.
        case lead(Transfer)
        /// Wait for a running transfer.
        case follow(Transfer)

        /// The transfer.
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

    /// Whether all transfers have ended.
    package var isEmpty: Bool { groups.isEmpty && transfers.isEmpty }

    /// The number of callers that wait for a transfer.
    package func count(of transfer: Transfer) -> Int { groups[transfer]?.tickets.count ?? 0 }

    /// Joins the transfer of a key, or adds one.
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

    /// Removes a caller from a transfer. Returns `true` if it was the last one. The transfer is then removed, and the
    /// next caller starts a new one.
    package mutating func leave(_ transfer: Transfer, _ ticket: Ticket) -> Bool {
        guard groups[transfer]?.tickets.remove(ticket) != nil, groups[transfer]?.tickets.isEmpty == true else {
            return false
        }
        forget(transfer)
        return true
    }

    /// Removes a transfer. Returns the callers that wait for its outcome.
    package mutating func finish(_ transfer: Transfer) -> Set<Ticket> {
        forget(transfer) ?? []
    }

    @discardableResult
    private mutating func forget(_ transfer: Transfer) -> Set<Ticket>? {
        // While a group exists, its key belongs only to its transfer.
        guard let group = groups.removeValue(forKey: transfer) else { return nil }
        transfers[group.key] = nil
        return group.tickets
    }
}
