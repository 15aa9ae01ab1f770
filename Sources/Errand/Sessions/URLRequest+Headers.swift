extension URLRequest {
    /// Sets headers that the request does not have yet, in one step. A `setValue` for each header would copy the
    /// request, and on Linux search all of its headers, which takes three times as long.
    /// - Parameter fields: Valid names and values. If names differ only in case, one of the headers is kept.
    mutating func setAbsent(_ fields: [String: String]) {
        guard !fields.isEmpty else { return }
        allHTTPHeaderFields = (allHTTPHeaderFields ?? [:]).merging(fields) { own, _ in own }
    }

    /// Sets headers that the request does not have yet, regardless of the case of their names.
    mutating func addAbsent(_ fields: [String: String]) {
        setAbsent(fields.filter { value(forHTTPHeaderField: $0.key) == nil })
    }

    /// Returns the request with headers that it does not have yet.
    func setting(_ fields: [HeaderFields.Field]) -> URLRequest {
        var request = self
        request.setAbsent(Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first })
        return request
    }

    /// Adds the headers that the request does not have yet. Headers with the same name are combined (RFC 9110, section
    /// 5.3).
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if a header to add is invalid.
    package mutating func addMissing(_ fields: HeaderFields) throws(ServiceError) {
        for field in fields where value(forHTTPHeaderField: field.name) == nil {
            if let flaw = field.flaw { throw ServiceError(.encoding, flaw) }
        }
        setAbsent(missing(fields))
    }

    /// Returns the headers that the request does not have yet. Headers with the same name are combined (RFC 9110,
    /// section 5.3).
    func missing(_ fields: HeaderFields) -> [String: String] {
        var names: [String: String] = [:]
        var added: [String: String] = [:]
        for field in fields where value(forHTTPHeaderField: field.name) == nil {
            let lowered = field.name.lowercased()
            let name = names[lowered] ?? field.name
            names[lowered] = name
            added[name] = added[name].map { "\($0),\(field.value)" } ?? field.value
        }
        return added
    }
}
