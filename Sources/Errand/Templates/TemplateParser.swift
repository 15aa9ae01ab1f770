import ErrandSupport

/// A parser for the text of a URI template (RFC 6570, section 2). Positions count code points from 0.
struct TemplateParser {
    private let scalars: [Unicode.Scalar]
    private let start: Int
    private var index = 0

    /// Creates a parser for a part of a longer text. The first code point of the part has the index `start`.
    init(_ text: String, start: Int = 0) {
        scalars = Array(text.unicodeScalars)
        self.start = start
    }

    /// Parses the complete text.
    mutating func parse() throws(ServiceError) -> [URITemplate.Part] {
        var parts: [URITemplate.Part] = []
        while let next = peek {
            parts.append(next == "{" ? .expression(try expression()) : .literal(try literal()))
        }
        return parts
    }

    private mutating func literal() throws(ServiceError) -> String {
        var text = String.UnicodeScalarView()
        while let next = peek, next != "{" {
            if next == "}" { throw malformed("found '}' without a '{' before it") }
            if next.properties.generalCategory == .control { throw malformed("found a control character") }
            text.append(next)
            index += 1
        }
        return String(text).percentEncoded(keepingReserved: true)
    }

    private mutating func expression() throws(ServiceError) -> TemplateExpression {
        let opening = index
        index += 1
        let kind = try expressionKind()
        var variables = [try variable()]
        while skip(",") { variables.append(try variable()) }
        guard skip("}") else {
            if index == scalars.count {
                throw malformed("the expression that starts here has no closing '}'", at: opening)
            }
            throw malformed("expected ',' or '}'")
        }
        return TemplateExpression(kind: kind, variables: variables)
    }

    private mutating func expressionKind() throws(ServiceError) -> TemplateExpression.Operator {
        guard let next = peek, !next.isNameStart else { return .simple }
        if "=,!@|".unicodeScalars.contains(next) {
            throw malformed("the operator '\(next)' is reserved for future extensions (RFC 6570, section 2.2)")
        }
        guard next != " ", let kind = TemplateExpression.Operator(rawValue: next) else { return .simple }
        index += 1
        return kind
    }

    private mutating func variable() throws(ServiceError) -> TemplateExpression.Variable {
        let position = index
        let name = try variableName()
        return TemplateExpression.Variable(name: name, modifier: try modifier(), position: start + position)
    }

    private mutating func variableName() throws(ServiceError) -> String {
        var name = String.UnicodeScalarView()
        repeat {
            if !name.isEmpty { name.append(".") }
            let before = name.count
            while let next = peek, next.isNameStart { name.append(contentsOf: try nameCharacter(next)) }
            guard name.count > before else {
                if peek == nil { throw malformed("unexpected end of the template") }
                throw malformed("expected a variable name")
            }
        } while skip(".")
        return String(name)
    }

    private mutating func nameCharacter(_ first: Unicode.Scalar) throws(ServiceError) -> [Unicode.Scalar] {
        let length = first == "%" ? 3 : 1
        let character = Array(scalars[index..<min(index + length, scalars.count)])
        guard character.count == length, character.dropFirst().allSatisfy(\.properties.isASCIIHexDigit) else {
            throw malformed("expected two hexadecimal digits after '%' in a variable name")
        }
        index += length
        return character
    }

    private mutating func modifier() throws(ServiceError) -> TemplateExpression.Modifier {
        if skip("*") { return .explode }
        guard skip(":") else { return .none }
        let digits = scalars[index...].prefix { "0"..."9" ~= $0 }
        let number = Int(String(String.UnicodeScalarView(digits.prefix(5))))
        guard let number, digits.first != "0", digits.count <= 4 else {
            throw malformed("expected a prefix length from 1 to 9999")
        }
        index += digits.count
        return .prefix(number)
    }

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        index += 1
        return true
    }

    private func malformed(_ what: String, at offset: Int? = nil) -> ServiceError {
        let position = start + (offset ?? index)
        return ServiceError(.configuration, "malformed URI template, character \(position) (counted from 0): \(what)")
    }
}

extension Unicode.Scalar {
    /// Whether this scalar starts a `varchar` (RFC 6570, section 2.3). A `%` must start a percent-encoded triplet.
    fileprivate var isNameStart: Bool {
        self == "_" || self == "%" || (isASCII && UInt8(ascii: self).isAlphanumeric)
    }
}
