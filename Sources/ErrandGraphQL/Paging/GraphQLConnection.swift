import Errand

/// A page of a list, with a cursor to the next page: a connection of a GraphQL service.
///
/// ```swift
/// struct Repositories: GraphQLConnection {
///     let nodes: [Repository]
///     let pageInfo: GraphQLPageInfo
/// }
/// ```
/// If the service returns only edges, implement ``nodes`` as `edges.map(\.node)`. The format is that of the GraphQL
/// Cursor Connections Specification, which many services follow. For other formats, use
/// ``GraphQLRequest/paged(items:next:)``.
public protocol GraphQLConnection<Node>: Decodable, Sendable {
    /// The type of the elements.
    associatedtype Node: Sendable

    /// The elements of this page.
    var nodes: [Node] { get }
    /// The position of this page in the list.
    var pageInfo: GraphQLPageInfo { get }
}

/// The position of a page in a connection (GraphQL Cursor Connections Specification, section PageInfo).
public struct GraphQLPageInfo: Codable, Sendable, Hashable {
    /// Whether there is a next page.
    public let hasNextPage: Bool
    /// The cursor of the last element of the page. `nil` if the page is empty, or if the query does not select the
    /// cursor.
    public let endCursor: String?

    /// Creates page information, for test doubles.
    public init(hasNextPage: Bool, endCursor: String? = nil) {
        self.hasNextPage = hasNextPage
        self.endCursor = endCursor
    }
}
