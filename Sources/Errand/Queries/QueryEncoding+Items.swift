extension QueryEncoding {
    /// The items that a keyed value makes, in the order in which it encodes its members.
    /// - Parameter value: A struct, a class, a dictionary with keys of text or numbers, an enum with associated values.
    /// - Returns: The items; none where the value holds nothing.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` where the value has no keys, a number is not
    ///   finite, a date is out of range, values nest too deep, or the value's own `encode(to:)` throws, whose error is
    ///   kept as the cause. The reason names key paths, never values.
    package func items(from value: some Encodable) throws(ServiceError) -> QueryItems {
        let journal = QueryJournal()
        do {
            let encoder = QueryEncoder(
                encoding: self, journal: journal, node: QueryNode(), codingPath: [], depth: 0)
            let node = try encoder.written(value)
            let tree = try node.resolved()
            switch node.kind {
            case .empty: return QueryItems([])
            case .text, .elements: throw QueryProblem.notKeyed.error(at: [])
            case .members: return items(of: tree?.members ?? [])
            }
        } catch {
            throw ServiceError(queryError: error, thrownAt: journal.failurePath ?? [])
        }
    }

    /// The items that a dictionary makes, sorted by key.
    /// - Parameter values: Texts, numbers, `Bool`, `Date`, `URL`, `UUID`, `Decimal`, `Data`, `NSNumber`, `Encodable` and
    ///   `RawRepresentable` values, their optionals, and arrays and dictionaries of all these.
    /// - Returns: The items; none where no value holds anything.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` as for an `Encodable` value, and where a value is
    ///   of no type that has a text. The reason names key paths, never values.
    package func items(from values: [String: any Sendable]) throws(ServiceError) -> QueryItems {
        let journal = QueryJournal()
        do {
            return items(of: try QueryDictionaryReader(encoding: self, journal: journal).members(of: values))
        } catch {
            throw ServiceError(queryError: error, thrownAt: journal.failurePath ?? [])
        }
    }
}
