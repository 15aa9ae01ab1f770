/// Validates a document without a schema when it is loaded (GraphQL, sections 5.2, 5.5 and 5.8).
struct DocumentRules {
    private let document: ExecutableDocument
    private let fragments: [String: FragmentDefinition]

    init(_ document: ExecutableDocument) {
        self.document = document
        fragments = Dictionary(document.fragments.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func check() throws(DocumentProblem) {
        try checkNames()
        let uses = document.fragments.map { ($0.name.text, Uses(of: $0.selections, $0.directives)) }
        let usesByFragment = Dictionary(uses, uniquingKeysWith: { first, _ in first })
        for fragment in document.fragments { try checkSpreads(usesByFragment[fragment.name.text]) }
        try checkCycles(usesByFragment)
        for operation in document.operations { try check(operation, usesByFragment) }
    }

    /// Checks that the names of operations and fragments are unique, and that an unnamed operation is the only one
    /// (sections 5.2.1.1, 5.2.2.1 and 5.5.1.1).
    private func checkNames() throws(DocumentProblem) {
        try Self.checkUnique(document.operations.compactMap(\.name), "operation")
        try Self.checkUnique(document.fragments.map(\.name), "fragment")
        if document.operations.count > 1, let nameless = document.operations.first(where: { $0.name == nil }) {
            throw DocumentProblem("an unnamed operation must be the only operation", at: nameless.location)
        }
    }

    private static func checkUnique(_ names: [Name], _ what: String) throws(DocumentProblem) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name.text).inserted {
            throw DocumentProblem("duplicate \(what) “\(name.text.prefix(64))”", at: name.location)
        }
    }

    /// Checks that fragment spreads refer to existing fragments (section 5.5.2.1).
    private func checkSpreads(_ uses: Uses?) throws(DocumentProblem) {
        for spread in uses?.fragments ?? [] where fragments[spread.text] == nil {
            throw DocumentProblem("unknown fragment “\(spread.text.prefix(64))”", at: spread.location)
        }
    }

    /// Checks that fragments do not form cycles (section 5.5.2.2).
    ///
    /// Repeatedly removes the fragments that use no other fragment. The fragments that remain are part of a cycle, or
    /// use one.
    private func checkCycles(_ uses: [String: Uses]) throws(DocumentProblem) {
        var waiting = uses.mapValues { Set($0.fragments.map(\.text)) }
        var users: [String: [String]] = [:]
        for (name, used) in waiting { for other in used { users[other, default: []].append(name) } }
        var free = waiting.filter { $0.value.isEmpty }.map(\.key)
        while let name = free.popLast() {
            waiting[name] = nil
            for user in users[name] ?? [] {
                waiting[user]?.remove(name)
                if waiting[user]?.isEmpty == true { free.append(user) }
            }
        }
        for fragment in document.fragments {
            guard waiting[fragment.name.text] != nil else { continue }
            let spread = uses[fragment.name.text]?.fragments.first { waiting[$0.text] != nil }
            let location = spread?.location ?? fragment.name.location
            throw DocumentProblem("fragments must not form a cycle", at: location)
        }
    }

    /// Checks that variables are declared once, and that used variables are declared, also in fragments (sections 5.8.1
    /// and 5.8.3).
    private func check(_ operation: OperationDefinition, _ usesByFragment: [String: Uses]) throws(DocumentProblem) {
        try Self.checkUnique(operation.variables.map(\.name), "variable")
        let declared = Set(operation.variables.map(\.name.text))
        var reached: Set<String> = []
        var pending = [Uses(of: operation.selections, operation.directives)]
        while let uses = pending.popLast() {
            try checkSpreads(uses)
            for variable in uses.variables where !declared.contains(variable.text) {
                let name = operation.name.map { " “\($0.text.prefix(64))”" } ?? ""
                throw DocumentProblem(
                    "the operation\(name) does not declare “$\(variable.text.prefix(64))”", at: variable.location)
            }
            for fragment in uses.fragments where reached.insert(fragment.text).inserted {
                if let next = usesByFragment[fragment.text] { pending.append(next) }
            }
        }
    }
}

/// The variables and fragments that a selection set uses, in the order of the text.
struct Uses {
    private(set) var variables: [Name] = []
    private(set) var fragments: [Name] = []

    init(of selections: [Selection], _ directives: [Directive]) {
        collect(directives)
        collect(selections)
    }

    private mutating func collect(_ selections: [Selection]) {
        for selection in selections {
            switch selection {
            case .field(let field):
                for argument in field.arguments { collect(argument.value) }
                collect(field.directives)
                collect(field.selections)
            case .spread(let name, let directives):
                fragments.append(name)
                collect(directives)
            case .inline(_, let directives, let inner):
                collect(directives)
                collect(inner)
            }
        }
    }

    private mutating func collect(_ directives: [Directive]) {
        for directive in directives { for argument in directive.arguments { collect(argument.value) } }
    }

    private mutating func collect(_ value: Value) {
        switch value {
        case .variable(let name): variables.append(name)
        case .list(let values, _): for value in values { collect(value) }
        case .object(let members, _): for member in members { collect(member.value) }
        case .enumeration, .int, .float, .string, .bool, .null: return
        }
    }
}
