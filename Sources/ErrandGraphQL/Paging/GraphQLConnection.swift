import Errand

/// Part of a list, with a cursor to the part behind it: the connections of GraphQL services.
///
/// ```swift
/// struct Repositories: GraphQLConnection {
///     let nodes: [Repository]
///     let pageInfo: GraphQLPageInfo
/// }
/// ```
/// A service that has edges alone gives ``nodes`` as `edges.map(\.node)`. The form is that of the GraphQL Cursor Connections
/// Specification, which many services follow; ``GraphQLRequest/paged(items:next:)`` reads any other.
public protocol GraphQLConnection<Node>: Decodable, Sendable {
    /// What the list is made of.
    associatedtype Node: Sendable

    /// This part of the list.
    var nodes: [Node] { get }
    /// Where the list goes on.
    var pageInfo: GraphQLPageInfo { get }
}

/// Whether a connection goes on, and where (GraphQL Cursor Connections Specification, section PageInfo).
public struct GraphQLPageInfo: Codable, Sendable, Hashable {
    /// Whether there is more.
    public let hasNextPage: Bool
    /// The cursor of the part's last element; nil where it has none, or where it was not asked for.
    public let endCursor: String?

    /// Makes a place, for test doubles.
    public init(hasNextPage: Bool, endCursor: String? = nil) {
        self.hasNextPage = hasNextPage
        self.endCursor = endCursor
    }
}
