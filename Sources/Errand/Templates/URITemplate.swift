/// A URI template: text with `{…}` expressions that are expanded with the values of variables (RFC 6570, all four
/// levels).
///
/// ```swift
/// let template = try URITemplate("/photos/{id}{?page,tags*}")
/// try template.expand(["id": "a/b", "tags": ["sea", "sky"]])        // /photos/a%2Fb?tags=sea&tags=sky
/// ```
/// Undefined variables are omitted, as section 3.2.1 requires. ``APIPath`` is stricter. Literal characters that a URI
/// must not contain are percent-encoded, valid triplets are kept, and a single `%` becomes `%25` (section 3.1).
public struct URITemplate: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case literal(String)
        case expression(TemplateExpression)
    }

    /// The template as it was written.
    public let text: String
    let parts: [Part]

    /// Parses a template.
    ///
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration`` if the template is malformed (section
    ///   2) or contains a control character. The reason names the position of the error, counted in code points from 0.
    public init(_ text: String) throws(ServiceError) {
        try self.init(text, start: 0)
    }

    /// Parses a part of a longer text. Positions count from the start of that text.
    init(_ text: String, start: Int) throws(ServiceError) {
        var parser = TemplateParser(text, start: start)
        self.text = text
        parts = try parser.parse()
    }

    /// The names of the variables in the order of the template, without duplicates.
    public var variableNames: [String] {
        var seen: Set<String> = []
        return parts.flatMap(\.variableNames).filter { seen.insert($0).inserted }
    }

    /// Returns the text with every expression replaced by the values of its variables (section 3).
    ///
    /// A missing variable is undefined, and a variable that the template does not contain is ignored. A prefix
    /// (`{var:3}`) counts code points. In `+` and `#` expressions, a percent-encoded character counts as one and is not
    /// split. The names of pairs are encoded like their values.
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration`` if the value of a variable with a
    ///   prefix is a list or pairs (section 2.4.1).
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
