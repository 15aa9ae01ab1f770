extension SchemaCheck {
    /// Directives exist, and so do their arguments (sections 5.4 and 5.7.1).
    mutating func check(_ directives: [Directive]) {
        for directive in directives {
            let name = directive.name
            guard let arguments = schema.directives[name.text] else {
                report("there is no directive “@\(name.text.prefix(64))”", at: name.location)
                continue
            }
            check(directive.arguments, of: arguments, "directive “@\(name.text.prefix(64))”", at: name)
        }
    }

    /// Arguments exist, once, and required ones are there (section 5.4); of input objects likewise (section 5.6).
    mutating func check(
        _ arguments: [Argument], of inputs: [String: SchemaInput], _ owner: String, at place: Name
    ) {
        check(arguments, of: inputs, owner, at: place.location, called: "argument")
    }

    private mutating func check(
        _ arguments: [Argument], of inputs: [String: SchemaInput], _ owner: String, at location: GraphQLLocation,
        called what: String
    ) {
        var given: Set<String> = []
        for argument in arguments {
            let name = argument.name.text.prefix(64)
            if !given.insert(argument.name.text).inserted {
                report("there is another \(what) “\(name)”", at: argument.name.location)
            }
            guard let input = inputs[argument.name.text] else {
                report("the \(owner) has no \(what) “\(name)”", at: argument.name.location)
                continue
            }
            check(argument.value, fits: input.type, hasDefault: input.hasDefault)
        }
        for (name, input) in inputs.sorted(by: { $0.key < $1.key }) where input.isRequired && !given.contains(name) {
            report("the \(owner) needs the \(what) “\(name.prefix(64))”", at: location)
        }
    }

    /// A value fits the type of its place (section 5.6.1); variables are looked at with their operation.
    mutating func check(_ value: Value, fits type: SchemaTypeReference, hasDefault: Bool = false) {
        switch (value, type) {
        case (.variable(let name), _): uses.append(VariableUse(name: name, type: type, hasDefault: hasDefault))
        case (.null(let location), .nonNull): report("null, expected \(type.text)", at: location)
        case (.null, _): return
        case (_, .nonNull(let inner)): check(value, fits: inner)
        case (.list(let values, _), .list(let element)): for value in values { check(value, fits: element) }
        // One value stands for a list of one (section 3.11).
        case (_, .list(let element)): check(value, fits: element)
        case (_, .named(let name)): check(value, isOf: name)
        }
    }

    private mutating func check(_ value: Value, isOf name: String) {
        guard let type = schema.types[name] else { return }
        switch (value, type.kind) {
        case (.enumeration(let word), .enumeration):
            guard !type.values.contains(word.text) else { return }
            report("“\(name.prefix(64))” has no value “\(word.text.prefix(64))”", at: word.location)
        case (.object(let members, let location), .input):
            check(members, of: type.inputs, "input “\(name.prefix(64))”", at: location, called: "field")
        case (_, .scalar):
            // Scalars of the service's own may be written in any way.
            if let kinds = Self.literals[name], !kinds.contains(value.kind) { mismatch(value, name) }
        default: mismatch(value, name)
        }
    }

    private mutating func mismatch(_ value: Value, _ name: String) {
        report("\(value.kind), expected \(name.prefix(64))", at: value.location)
    }

    /// How the scalars of every schema are written (section 3.5).
    private static let literals: [String: Set<String>] = [
        "Int": ["a whole number"], "Float": ["a whole number", "a number"], "String": ["a string"],
        "Boolean": ["true or false"], "ID": ["a string", "a whole number"],
    ]
}

extension Value {
    fileprivate var kind: String {
        switch self {
        case .variable: "a variable"
        case .enumeration: "a word"
        case .int: "a whole number"
        case .float: "a number"
        case .string: "a string"
        case .bool: "true or false"
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
