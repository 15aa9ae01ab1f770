extension QueryEncoding {
    /// Returns the items of a keyed value, in the order in which it encodes its members.
    /// - Parameter value: A struct, a class, a dictionary with string or number keys, or an enum with associated
    ///   values.
    /// - Returns: The items. The list is empty if the value contains only `nil` and empty values.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the value has no keys, a number is not finite,
    ///   a date is out of range, values are nested too deeply, or the value's own `encode(to:)` throws. Its error is
    ///   kept as the cause. The reason contains key paths, never values.
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

    /// Returns the items of a dictionary, sorted by key.
    /// - Parameter values: Strings, numbers, `Bool`, `Date`, `URL`, `UUID`, `Decimal`, `Data`, `NSNumber`, `Encodable`
    ///   and `RawRepresentable` values, their optionals, and arrays and dictionaries of all these.
    /// - Returns: The items. The list is empty if all values are `nil` or empty.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` as for an `Encodable` value, and if the type of a
    ///   value is not supported. The reason contains key paths, never values.
    package func items(from values: [String: any Sendable]) throws(ServiceError) -> QueryItems {
        let journal = QueryJournal()
        do {
            return items(of: try QueryDictionaryReader(encoding: self, journal: journal).members(of: values))
        } catch {
            throw ServiceError(queryError: error, thrownAt: journal.failurePath ?? [])
        }
    }
}
