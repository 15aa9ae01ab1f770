/// A text with `{…}` expressions that variables turn into a URI: RFC 6570, all four levels.
///
/// ```swift
/// let template = try URITemplate("/photos/{id}{?page,tags*}")
/// try template.expand(["id": "a/b", "tags": ["sea", "sky"]])        // /photos/a%2Fb?tags=sea&tags=sky
/// ```
/// Undefined variables are left out, as section 3.2.1 asks; ``APIPath`` is stricter. Literal characters that no URI may
/// hold are percent-encoded, valid triplets stay, and a lone `%` becomes `%25` (section 3.1).
public struct URITemplate: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case literal(String)
        case expression(TemplateExpression)
    }

    /// The template as it was written.
    public let text: String
    let parts: [Part]

    /// Reads a template.
    ///
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration`` where it is malformed (section 2); the
    ///   reason states which character is wrong, counted in code points from 0. A control character is refused too.
    public init(_ text: String) throws(ServiceError) {
        try self.init(text, start: 0)
    }

    /// Reads a part of a longer text; positions count from that text's beginning.
    init(_ text: String, start: Int) throws(ServiceError) {
        var parser = TemplateParser(text, start: start)
        self.text = text
        parts = try parser.parse()
    }

    /// The names of the variables, in the order of the template, each once.
    public var variableNames: [String] {
        var seen: Set<String> = []
        return parts.flatMap(\.variableNames).filter { seen.insert($0).inserted }
    }

    /// The text with every expression replaced by its variables' values (section 3).
    ///
    /// A variable that is not given is undefined; one that the template does not have is ignored. A prefix (`{var:3}`)
    /// counts code points; in `+` and `#` expressions an encoded character counts as one and is not cut. The names of
    /// pairs are encoded as their values are.
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration`` where a variable with a prefix has a list
    ///   or pairs as its value (section 2.4.1).
    public func expand(_ variables: [String: any URITemplate.Variable] = [:]) throws(ServiceError) -> String {
        let values = variables.mapValues(\.templateValue)
        var result = ""
        for part in parts {
            switch part {
            case .literal(let text): result += text
            case .expression(let expression): result += try expression.expand(values)
            }
        }
        return result
    }
}

extension URITemplate: CustomStringConvertible {
    /// The template as it was written.
    public var description: String { text }
}

extension URITemplate.Part {
    fileprivate var variableNames: [String] {
        guard case .expression(let expression) = self else { return [] }
        return expression.variables.map(\.name)
    }
}
