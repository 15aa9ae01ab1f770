extension GraphQLSchema {
    /// The introspection query for ``init(introspection:)`` (GraphQL, section 4). It selects up to nine levels of
    /// nested types.
    ///
    /// ```swift
    /// let document = try QueryDocument(GraphQLSchema.introspectionQuery)
    /// let request = GraphQLRequest<NoVariables, GraphQLValue>(document, at: url)
    /// let result = try await APILoader(request).load().requireComplete()
    /// let schema = try GraphQLSchema(introspection: JSONEncoder().encode(result))
    /// ```
    public static let introspectionQuery: String = """
        query Introspection {
          __schema {
            queryType { name }
            mutationType { name }
            subscriptionType { name }
            types {
              kind
              name
              fields(includeDeprecated: true) { name args { ...Input } type { ...Type } }
              inputFields { ...Input }
              enumValues(includeDeprecated: true) { name }
            }
            directives { name args { ...Input } }
          }
        }
        fragment Input on __InputValue { name type { ...Type } defaultValue }
        fragment Type on __Type { \(types(down: 9)) }
        """

    private static func types(down levels: Int) -> String {
        levels == 0 ? "kind name" : "kind name ofType { \(types(down: levels - 1)) }"
    }
}
