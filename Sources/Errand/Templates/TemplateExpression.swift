import ErrandSupport

/// One `{…}` of a URI template: an operator and its variables (RFC 6570, section 2.2).
struct TemplateExpression: Sendable, Hashable {
    /// How a variable's value is cut or spread (section 2.4).
    enum Modifier: Sendable, Hashable {
        case none, explode
        case prefix(Int)
    }

    /// A variable where it stands in the template.
    struct Variable: Sendable, Hashable {
        let name: String
        let modifier: Modifier
        /// The code point of the template that the name starts at.
        let position: Int
    }

    let kind: Operator
    let variables: [Variable]

    /// The text of the whole expression; undefined variables are left out (section 3.2.1).
    func expand(_ values: [String: URITemplate.Value]) throws(ServiceError) -> String {
        var expansions: [String] = []
        for variable in variables {
            if let text = try expansion(of: variable, values[variable.name] ?? .undefined) { expansions.append(text) }
        }
        return expansions.isEmpty ? "" : kind.first + expansions.joined(separator: kind.separator)
    }

    /// One variable's share of the expression, nil where it is undefined.
    func expansion(of variable: Variable, _ value: URITemplate.Value) throws(ServiceError) -> String? {
        if case .prefix = variable.modifier, value.isComposite {
            throw ServiceError(
                .configuration,
                "template variable '\(variable.name)' at character \(variable.position) (counted from 0) has a prefix "
                    + "length, but its value is a list or pairs")
        }
        switch value {
        case .undefined: return nil
        case .string(let text): return named(variable.name, encoded(cut(text, variable.modifier)))
        case .list(let items) where items.isEmpty: return nil
        case .pairs(let pairs) where pairs.isEmpty: return nil
        case .list(let items): return list(items.map(encoded), variable)
        case .pairs(let pairs): return self.pairs(pairs.map { (encoded($0.key), encoded($0.value)) }, variable)
        }
    }

    private func list(_ items: [String], _ variable: Variable) -> String {
        guard variable.modifier == .explode else { return named(variable.name, items.joined(separator: ",")) }
        return items.map { named(variable.name, $0) }.joined(separator: kind.separator)
    }

    private func pairs(_ pairs: [(key: String, value: String)], _ variable: Variable) -> String {
        guard variable.modifier == .explode else {
            return named(variable.name, pairs.map { $0.key + "," + $0.value }.joined(separator: ","))
        }
        let items = pairs.map { kind.isNamed ? named($0.key, $0.value) : $0.key + "=" + $0.value }
        return items.joined(separator: kind.separator)
    }

    private func named(_ name: String, _ text: String) -> String {
        guard kind.isNamed else { return text }
        return text.isEmpty ? name + kind.afterEmptyName : name + "=" + text
    }

    private func encoded(_ text: String) -> String {
        text.percentEncoded(keepingReserved: kind.keepsReserved)
    }

    private func cut(_ text: String, _ modifier: Modifier) -> String {
        guard case .prefix(let length) = modifier else { return text }
        return text.codePointPrefix(length, wholeTriplets: kind.keepsReserved)
    }
}

extension TemplateExpression {
    /// The kinds of expression, as the table of RFC 6570, appendix A, has them.
    enum Operator: Unicode.Scalar, Sendable, Hashable {
        case simple = " "
        case reserved = "+"
        case fragment = "#"
        case label = "."
        case segments = "/"
        case parameters = ";"
        case query = "?"
        case continuation = "&"

        /// What the expansion starts with.
        var first: String {
            switch self {
            case .simple, .reserved: ""
            default: String(rawValue)
            }
        }

        /// What stands between two variables.
        var separator: String {
            switch self {
            case .simple, .reserved, .fragment: ","
            case .query: "&"
            default: String(rawValue)
            }
        }

        /// Whether the variable's name is written too.
        var isNamed: Bool { self == .parameters || self == .query || self == .continuation }
        /// What follows the name of an empty value.
        var afterEmptyName: String { self == .parameters ? "" : "=" }
        /// Whether reserved characters and triplets of a value stay as they are.
        var keepsReserved: Bool { self == .reserved || self == .fragment }
        /// Whether an ``APIPath`` refuses an absent value: the text around it would make another address.
        var isRequired: Bool { self == .simple || self == .reserved }
    }
}

extension URITemplate.Value {
    fileprivate var isComposite: Bool {
        switch self {
        case .list, .pairs: true
        case .undefined, .string: false
        }
    }
}
