/// The merged response of an operation with `@defer` or `@stream`, after one of its payloads.
public struct GraphQLSnapshot<Model> {
    /// The response so far. Its data lacks the parts that are ``pending``.
    ///
    /// ``GraphQLResponse/requireComplete()`` throws until the last payload was received.
    public let response: GraphQLResponse<Model>
    /// The announced parts that are not complete, in the order of their announcement. Always empty for services with the
    /// older format, which does not announce parts.
    public let pending: [GraphQLPendingPart]

    /// Whether the last payload was received.
    public var isComplete: Bool { !response.hasNext }

    /// Creates a snapshot, for test doubles.
    public init(response: GraphQLResponse<Model>, pending: [GraphQLPendingPart] = []) {
        self.response = response
        self.pending = pending
    }

    /// Returns whether a part with the given label is announced and not complete.
    public func isPending(_ label: String) -> Bool { pending.contains { $0.label == label } }
}

extension GraphQLSnapshot: Sendable where Model: Sendable {}
extension GraphQLSnapshot: Equatable where Model: Equatable {}

/// A part of a response that the service has announced: a fragment with `@defer`, or a list with `@stream`.
public struct GraphQLPendingPart: Sendable, Hashable {
    /// The path of the object that contains the fragment, or of the list.
    public let path: [GraphQLError.PathElement]
    /// The `label` argument of the directive, or `nil`.
    public let label: String?

    /// Creates a part, for test doubles.
    public init(path: [GraphQLError.PathElement], label: String? = nil) {
        self.path = path
        self.label = label
    }
}
