/// A value on its way to a query: a tree without `nil` and without empty branches.
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

    /// The members of a keyed value, none of any other.
    var members: [Member] {
        guard case .members(let members) = self else { return [] }
        return members
    }

    /// A list, nil where nothing is in it.
    static func list(_ elements: [QueryValue]) -> QueryValue? {
        elements.isEmpty ? nil : .elements(elements)
    }

    /// A keyed value, nil where nothing is in it.
    static func object(_ members: [Member]) -> QueryValue? {
        members.isEmpty ? nil : .members(members)
    }
}
