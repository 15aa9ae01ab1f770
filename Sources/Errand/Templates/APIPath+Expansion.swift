import ErrandSupport

extension APIPath {
    /// The relative address with every variable's value in it, percent-encoded.
    ///
    /// Stricter than RFC 6570, which leaves absent values out and would name another resource:
    /// - a variable of `{id}` or `{+id}`, and an interpolated value, must have a value that is not empty; those of
    ///   `{?…}`, `{&…}`, `{/…}`, `{;…}`, `{.…}` and `{#…}` may be absent;
    /// - a variable that the template does not have is refused: it is misspelt;
    /// - a value can't make a path segment `.` or `..` (also written `%2e`), nor start a query or fragment by `{+id}`;
    /// - `{?…}` and `{&…}` start the query or go on with it, whichever is due; after a fragment they are refused.
    ///
    /// `[` and `]`, and `#` within the fragment, are percent-encoded (RFC 3986, section 3.3 to 3.5).
    /// ```swift
    /// try APIPath("/photos/{id}{?page}", ["id": "a b"]).expand()        // /photos/a%20b
    /// ```
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration`` where a rule above is broken or the
    ///   template is malformed. The reason names variable and character (counted from 0), never a value.
    public func expand() throws(ServiceError) -> String {
        try expanded().text
    }

    /// The components of ``expand()``; what is wrong is said of this path's template.
    func expanded() throws(ServiceError) -> URIReference {
        do throws(ServiceError) {
            return try assembled()
        } catch {
            throw ServiceError(error.code, "path '\(template.singleLine(limit: 128))': \(error.reason)")
        }
    }

    private func assembled() throws(ServiceError) -> URIReference {
        var assembly = PathAssembly()
        var unused = Set(variables.keys)
        var position = 0
        for piece in pieces {
            switch piece {
            case .text(let text):
                let template = try URITemplate(text, start: position)
                unused.subtract(template.variableNames)
                for part in template.parts { try append(part, to: &assembly) }
                position += text.unicodeScalars.count
            case .value(let value):
                let variable = TemplateExpression.Variable(name: "", modifier: .none, position: position)
                let expression = TemplateExpression(kind: .simple, variables: [variable])
                try append(expression, [variable.name: value], to: &assembly)
                position += Self.placeholder.unicodeScalars.count
            }
        }
        if let name = unused.min() {
            throw ServiceError(.configuration, "the path's template has no variable '\(name.singleLine(limit: 64))'")
        }
        return try assembly.finish()
    }

    private func append(_ part: URITemplate.Part, to assembly: inout PathAssembly) throws(ServiceError) {
        switch part {
        case .literal(let text): try assembly.append(text)
        case .expression(let expression): try append(expression, variables, to: &assembly)
        }
    }

    private func append(
        _ expression: TemplateExpression, _ values: [String: URITemplate.Value], to assembly: inout PathAssembly
    ) throws(ServiceError) {
        var isFirst = true
        for variable in expression.variables {
            let text = try expression.expansion(of: variable, values[variable.name] ?? .undefined)
            if expression.kind.isRequired, text?.isEmpty ?? true {
                throw variable.refused("has no value or an empty one")
            }
            guard let text else { continue }
            if isFirst {
                try assembly.begin(expression.kind, variable)
            } else {
                try assembly.append(expression.kind.separator)
            }
            try assembly.append(text, from: variable)
            isFirst = false
        }
    }
}

extension TemplateExpression.Variable {
    /// The error that says what is wrong with this variable, without its value.
    func refused(_ what: String) -> ServiceError {
        let subject = name.isEmpty ? "the interpolated value" : "the variable '\(name)'"
        return ServiceError(.configuration, "\(subject) at character \(position) (counted from 0) \(what)")
    }
}
