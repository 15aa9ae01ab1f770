extension URLRequest {
    /// Sets fields that the request does not have yet, in one step: each `setValue` copies the request, and on Linux looks
    /// through all that it has, which takes three times as long.
    /// - Parameter fields: Names and values that are fit for the wire; of one name in several spellings one remains.
    mutating func setAbsent(_ fields: [String: String]) {
        guard !fields.isEmpty else { return }
        allHTTPHeaderFields = (allHTTPHeaderFields ?? [:]).merging(fields) { own, _ in own }
    }

    /// Sets headers that the request does not have yet, in any case of their names.
    mutating func addAbsent(_ fields: [String: String]) {
        setAbsent(fields.filter { value(forHTTPHeaderField: $0.key) == nil })
    }

    /// This request with fields that it does not have yet.
    func setting(_ fields: [HeaderFields.Field]) -> URLRequest {
        var request = self
        request.setAbsent(Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first })
        return request
    }

    /// Adds the fields whose names are not there yet; several of one name become one (RFC 9110, section 5.3).
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` for what is unfit for the wire.
    package mutating func addMissing(_ fields: HeaderFields) throws(ServiceError) {
        for field in fields where value(forHTTPHeaderField: field.name) == nil {
            if let flaw = field.flaw { throw ServiceError(.encoding, flaw) }
        }
        setAbsent(missing(fields))
    }

    /// The headers whose names are not there yet. Headers of one name are combined (RFC 9110, section 5.3).
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
