import Errand

/// The result of an introspection query (GraphQL, section 4), with or without an enclosing `data` member.
struct Introspection: Decodable {
    let schema: SchemaTypes

    private enum CodingKeys: String, CodingKey { case data, __schema }

    init(from decoder: any Decoder) throws {
        var members = try decoder.container(keyedBy: CodingKeys.self)
        if members.contains(.data) { members = try members.nestedContainer(keyedBy: CodingKeys.self, forKey: .data) }
        schema = SchemaTypes(try members.decode(Content.self, forKey: .__schema))
    }

    fileprivate struct Content: Decodable {
        let queryType: Named?
        let mutationType: Named?
        let subscriptionType: Named?
        let types: [FullType]
        let directives: [FullDirective]?
    }

    fileprivate struct Named: Decodable { let name: String }

    fileprivate struct FullType: Decodable {
        let kind: SchemaType.Kind
        let name: String
        let fields: [FullField]?
        let inputFields: [FullInput]?
        let enumValues: [Named]?
    }

    fileprivate struct FullField: Decodable {
        let name: String
        let args: [FullInput]
        let type: SchemaTypeReference
    }

    fileprivate struct FullInput: Decodable {
        let name: String
        let type: SchemaTypeReference
        let defaultValue: String?
    }

    fileprivate struct FullDirective: Decodable {
        let name: String
        let args: [FullInput]
    }
}

extension SchemaTypes {
    fileprivate init(_ content: Introspection.Content) {
        self.init()
        roots[.query] = content.queryType?.name
        roots[.mutation] = content.mutationType?.name
        roots[.subscription] = content.subscriptionType?.name
        for type in content.types { types[type.name] = SchemaType(type) }
        for directive in content.directives ?? [] { directives[directive.name] = Self.inputs(directive.args) }
    }

    fileprivate static func inputs(_ inputs: [Introspection.FullInput]?) -> [String: SchemaInput] {
        let pairs = (inputs ?? []).map { ($0.name, SchemaInput(type: $0.type, hasDefault: $0.defaultValue != nil)) }
        return Dictionary(pairs, uniquingKeysWith: { _, later in later })
    }
}

extension SchemaType {
    fileprivate init(_ type: Introspection.FullType) {
        self.init(kind: type.kind)
        let pairs = (type.fields ?? []).map { field in
            (field.name, SchemaField(type: field.type, arguments: SchemaTypes.inputs(field.args)))
        }
        fields = Dictionary(pairs, uniquingKeysWith: { _, later in later })
        inputs = SchemaTypes.inputs(type.inputFields)
        values = Set((type.enumValues ?? []).map(\.name))
    }
}

extension SchemaTypeReference: Decodable {
    private enum CodingKeys: String, CodingKey { case kind, name, ofType }

    /// Decodes a type (section 4.2). The query selects only a limited number of levels.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard decoder.codingPath.count <= 100 else {
            throw DecodingError.dataCorruptedError(
                forKey: .ofType, in: members, debugDescription: "expected at most 100 levels of nesting")
        }
        switch try members.decode(String.self, forKey: .kind) {
        case "NON_NULL": self = .nonNull(try members.decode(SchemaTypeReference.self, forKey: .ofType))
        case "LIST": self = .list(try members.decode(SchemaTypeReference.self, forKey: .ofType))
        default: self = .named(try members.decode(String.self, forKey: .name))
        }
    }
}
