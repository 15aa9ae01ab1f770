import ErrandSupport

extension APIPath {
    /// Returns the relative URL, with the value of every variable percent-encoded.
    ///
    /// This method is stricter than RFC 6570, which omits absent values and would produce the URL of another resource:
    /// - A variable of `{id}` or `{+id}`, and an interpolated value, requires a value that is not empty. Variables of
    ///   `{?…}`, `{&…}`, `{/…}`, `{;…}`, `{.…}` and `{#…}` are optional.
    /// - A variable that the template does not contain is an error, because it is probably misspelled.
    /// - A value cannot produce the path segment `.` or `..` (also written `%2e`), or start a query or fragment in
    ///   `{+id}`.
    /// - `{?…}` and `{&…}` both start the query, or continue it if it has begun. After the start of a fragment, they
    ///   are an error.
    ///
    /// `[` and `]`, and `#` within the fragment, are percent-encoded (RFC 3986, section 3.3 to 3.5).
    /// ```swift
    /// try APIPath("/photos/{id}{?page}", ["id": "a b"]).expand()        // /photos/a%20b
    /// ```
    /// - Throws: ``ServiceError`` with code ``ServiceError/Code/configuration`` if a rule above is violated or the
    ///   template is malformed. The reason names the variable and the character (counted from 0), never a value.
    public func expand() throws(ServiceError) -> String {
        try expanded().text
    }

    /// Returns the components of ``expand()``. Errors contain the template of this path.
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
            throw ServiceError(
                .configuration, "expected a variable of the path template, found '\(name.singleLine(limit: 64))'")
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
                throw variable.refused("requires a value that is not empty")
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
    /// Returns an error about this variable that does not contain its value.
    func refused(_ what: String) -> ServiceError {
        let subject = name.isEmpty ? "the interpolated value" : "the variable '\(name)'"
        return ServiceError(.configuration, "\(subject) at character \(position) (counted from 0) \(what)")
    }
}
