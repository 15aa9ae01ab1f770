import ErrandSupport

/// An expression `{…}` of a URI template: an operator and its variables (RFC 6570, section 2.2).
struct TemplateExpression: Sendable, Hashable {
    /// The modifier of a variable, which truncates or explodes its value (section 2.4).
    enum Modifier: Sendable, Hashable {
        case none, explode
        case prefix(Int)
    }

    /// A variable and its position in the template.
    struct Variable: Sendable, Hashable {
        let name: String
        let modifier: Modifier
        /// The index of the first code point of the name in the template.
        let position: Int
    }

    let kind: Operator
    let variables: [Variable]

    /// Returns the text of the complete expression. Undefined variables are omitted (section 3.2.1).
    func expand(_ values: [String: URITemplate.Value]) throws(ServiceError) -> String {
        var expansions: [String] = []
        for variable in variables {
            if let text = try expansion(of: variable, values[variable.name] ?? .undefined) { expansions.append(text) }
        }
        return expansions.isEmpty ? "" : kind.first + expansions.joined(separator: kind.separator)
    }

    /// Returns the text of one variable, or `nil` if it is undefined.
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
        return text.codePointPrefix(length, keepingTriplets: kind.keepsReserved)
    }
}

extension TemplateExpression {
    /// The operators of expressions, as in the table of RFC 6570, appendix A.
    enum Operator: Unicode.Scalar, Sendable, Hashable {
        case simple = " "
        case reserved = "+"
        case fragment = "#"
        case label = "."
        case segments = "/"
        case parameters = ";"
        case query = "?"
        case continuation = "&"

        /// The text at the start of the expansion.
        var first: String {
            switch self {
            case .simple, .reserved: ""
            default: String(rawValue)
            }
        }

        /// The separator of variables.
        var separator: String {
            switch self {
            case .simple, .reserved, .fragment: ","
            case .query: "&"
            default: String(rawValue)
            }
        }

        /// Whether the expansion contains the names of the variables.
        var isNamed: Bool { self == .parameters || self == .query || self == .continuation }
        /// The text after the name of a variable with an empty value.
        var afterEmptyName: String { self == .parameters ? "" : "=" }
        /// Whether reserved characters and percent-encoded triplets of a value are kept.
        var keepsReserved: Bool { self == .reserved || self == .fragment }
        /// Whether an ``APIPath`` rejects an absent value, because the remaining text would be another URL.
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
