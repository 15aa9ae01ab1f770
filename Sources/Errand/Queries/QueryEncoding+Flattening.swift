extension QueryEncoding {
    /// Returns the items of the members of a keyed value, in order.
    func items(of members: [QueryValue.Member]) -> QueryItems {
        QueryItems(members.flatMap { items(of: $0.value, named: $0.name) })
    }

    private func items(of value: QueryValue, named name: String) -> [QueryItem] {
        switch value {
        case .text(let text): [QueryItem(name, text)]
        case .members(let members): members.flatMap { items(of: $0.value, named: nested($0.name, in: name)) }
        case .elements(let elements): items(of: elements, named: name)
        }
    }

    private func items(of elements: [QueryValue], named name: String) -> [QueryItem] {
        let texts = elements.compactMap(\.text)
        guard texts.count == elements.count else { return indexed(elements, named: name) }
        return switch arrays.style {
        case .repeated: texts.map { QueryItem(name, $0) }
        case .brackets: texts.map { QueryItem("\(name)[]", $0) }
        case .indices: indexed(elements, named: name)
        case .commaSeparated: [QueryItem(name, elements: texts)]
        }
    }

    private func indexed(_ elements: [QueryValue], named name: String) -> [QueryItem] {
        elements.enumerated().flatMap { index, element in items(of: element, named: "\(name)[\(index)]") }
    }

    private func nested(_ inner: String, in outer: String) -> String {
        switch nesting.style {
        case .brackets: "\(outer)[\(inner)]"
        case .dots: "\(outer).\(inner)"
        }
    }
}
