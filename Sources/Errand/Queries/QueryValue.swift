/// A value to encode in a query: a tree without `nil` and empty branches.
indirect enum QueryValue: Equatable {
    /// A member of a keyed value.
    struct Member: Equatable {
        let name: String
        let value: QueryValue
    }

    case text(String)
    case elements([QueryValue])
    case members([Member])

    /// The text of a single value.
    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// The members of a keyed value. Empty for any other value.
    var members: [Member] {
        guard case .members(let members) = self else { return [] }
        return members
    }

    /// Returns a list, or `nil` if it has no elements.
    static func list(_ elements: [QueryValue]) -> QueryValue? {
        elements.isEmpty ? nil : .elements(elements)
    }

    /// Returns a keyed value, or `nil` if it has no members.
    static func object(_ members: [Member]) -> QueryValue? {
        members.isEmpty ? nil : .members(members)
    }
}
