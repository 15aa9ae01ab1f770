extension SchemaCheck {
    /// Checks that directives and their arguments exist (sections 5.4 and 5.7.1).
    mutating func check(_ directives: [Directive]) {
        for directive in directives {
            let name = directive.name
            guard let arguments = schema.directives[name.text] else {
                report("unknown directive “@\(name.text.prefix(64))”", at: name.location)
                continue
            }
            check(directive.arguments, of: arguments, "directive “@\(name.text.prefix(64))”", at: name)
        }
    }

    /// Checks that arguments exist and are unique, and that required arguments are present (section 5.4). The same
    /// rules apply to the fields of input objects (section 5.6).
    mutating func check(
        _ arguments: [Argument], of inputs: [String: SchemaInput], _ owner: String, at name: Name
    ) {
        check(arguments, of: inputs, owner, at: name.location, called: "argument")
    }

    private mutating func check(
        _ arguments: [Argument], of inputs: [String: SchemaInput], _ owner: String, at location: GraphQLLocation,
        called what: String
    ) {
        var given: Set<String> = []
        for argument in arguments {
            let name = argument.name.text.prefix(64)
            if !given.insert(argument.name.text).inserted {
                report("duplicate \(what) “\(name)”", at: argument.name.location)
            }
            guard let input = inputs[argument.name.text] else {
                report("the \(owner) has no \(what) “\(name)”", at: argument.name.location)
                continue
            }
            check(argument.value, fits: input.type, hasDefault: input.hasDefault)
        }
        for (name, input) in inputs.sorted(by: { $0.key < $1.key }) where input.isRequired && !given.contains(name) {
            report("the \(owner) requires the \(what) “\(name.prefix(64))”", at: location)
        }
    }

    /// Checks that a value fits its expected type (section 5.6.1). Variables are checked later, with their operation.
    mutating func check(_ value: Value, fits type: SchemaTypeReference, hasDefault: Bool = false) {
        switch (value, type) {
        case (.variable(let name), _): uses.append(VariableUse(name: name, type: type, hasDefault: hasDefault))
        case (.null(let location), .nonNull): report("expected \(type.text), found null", at: location)
        case (.null, _): return
        case (_, .nonNull(let inner)): check(value, fits: inner)
        case (.list(let values, _), .list(let element)): for value in values { check(value, fits: element) }
        // A single value is coerced to a list of one value (section 3.11).
        case (_, .list(let element)): check(value, fits: element)
        case (_, .named(let name)): check(value, isOf: name)
        }
    }

    private mutating func check(_ value: Value, isOf name: String) {
        guard let type = schema.types[name] else { return }
        switch (value, type.kind) {
        case (.enumeration(let word), .enumeration):
            guard !type.values.contains(word.text) else { return }
            report("the enum “\(name.prefix(64))” has no value “\(word.text.prefix(64))”", at: word.location)
        case (.object(let members, let location), .input):
            check(members, of: type.inputs, "input “\(name.prefix(64))”", at: location, called: "field")
        case (_, .scalar):
            // A custom scalar accepts any literal.
            if let kinds = Self.literals[name], !kinds.contains(value.kind) { mismatch(value, name) }
        default: mismatch(value, name)
        }
    }

    private mutating func mismatch(_ value: Value, _ name: String) {
        report("expected \(name.prefix(64)), found \(value.kind)", at: value.location)
    }

    /// The kinds of literals that the built-in scalars accept (section 3.5).
    private static let literals: [String: Set<String>] = [
        "Int": ["an integer"], "Float": ["an integer", "a number"], "String": ["a string"],
        "Boolean": ["a Boolean"], "ID": ["a string", "an integer"],
    ]
}

extension Value {
    fileprivate var kind: String {
        switch self {
        case .variable: "a variable"
        case .enumeration: "an enum value"
        case .int: "an integer"
        case .float: "a number"
        case .string: "a string"
        case .bool: "a Boolean"
        case .null: "null"
        case .list: "a list"
        case .object: "an object"
        }
    }

    fileprivate var location: GraphQLLocation {
        switch self {
        case .variable(let name), .enumeration(let name): name.location
        case .int(let location), .float(let location), .string(let location), .bool(let location), .null(let location),
            .list(_, let location), .object(_, let location):
            location
        }
    }
}
