public import Errand

/// A query that loads a list page by page. The `paged` methods of ``GraphQLRequest`` create it.
///
/// ```swift
/// // query Issues($cursor: String) { repository { issues(after: $cursor) { nodes { title } pageInfo { … } } } }
/// struct IssueVariables: Encodable { var cursor: String? }
/// let list = GraphQLRequest<IssueVariables, IssuePage>(document, at: url).paged(\.repository.issues, after: \.cursor)
/// for try await issue in APILoader(list, session: session).pages(from: IssueVariables()).items { show(issue) }
/// ```
/// A page with errors ends the page sequence with the error of ``GraphQLResponse/requireComplete()``, so that a partial
/// list is never taken for a complete one. If ``allowsPartialData`` is `true`, the page is returned with its
/// ``GraphQLResponse/errors`` instead.
public struct GraphQLListRequest<Variables: Encodable & Sendable, Response: Decodable & Sendable, Item: Sendable>:
    PagedHandler, WrappingHandler
{
    /// The request for one page.
    public var wrapped: GraphQLRequest<Variables, Response>
    /// Whether a page may have errors in addition to data. The default is `false`.
    ///
    /// If `true`, iterate the pages instead of their items, because items do not show errors. A page with errors and
    /// without data, or with errors and a `null` connection, still ends the page sequence with an error.
    public var allowsPartialData: Bool = false
    let items: @Sendable (Response) -> [Item]
    let next: @Sendable (Response, Variables) throws -> Variables?
    /// Whether the data contains the list.
    var isComplete: @Sendable (Response) -> Bool = { _ in true }

    /// Returns the items of a page, or an empty array if the page has no data.
    public func items(of page: GraphQLResponse<Response>) -> [Item] {
        page.data.map(items) ?? []
    }

    /// Returns the variables of the next page.
    /// - Throws: ``/Errand/ServiceError`` with ``Errand/ServiceError/Code/graphQL`` if the page has no data, or has
    ///   errors and a `null` connection. Also the errors of the closure that computes the next variables.
    public func nextPage(
        after page: Loaded<GraphQLResponse<Response>>, from variables: Variables
    ) throws -> NextPage<Variables> {
        let data = try page.value.requireData()
        if !isComplete(data), !page.value.errors.isEmpty { throw page.value.failure }
        return try next(data, variables).map { .input($0) } ?? .end
    }

    /// Creates the request for a page as ``GraphQLRequest/makeRequest(from:)`` does. If the operation is not a query,
    /// it throws ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/encoding``.
    public func makeRequest(from variables: Variables) throws -> URLRequest {
        guard wrapped.document.operation.kind == .query else {
            throw ServiceError(.encoding, "expected a query to load a list")
        }
        return try wrapped.makeRequest(from: variables)
    }

    /// Parses a page as ``GraphQLRequest/parseResponse(data:head:)`` does. A page with errors is an error, unless
    /// ``allowsPartialData`` is `true`.
    public func parseResponse(data: Data, head: ResponseHead) throws -> GraphQLResponse<Response> {
        let parser = GraphQLResponseParser(head: head, body: data, decoder: wrapped.decoder)
        return allowsPartialData ? try parser.response() : try parser.complete().response
    }
}

extension GraphQLRequest {
    /// Returns a request that loads a list page by page. Each page determines the variables of the next one.
    ///
    /// ```swift
    /// let list = request.paged { $0.characters.results } next: { page, variables in
    ///     page.characters.info.next.map { CharactersVariables(filter: variables.filter, page: $0) }
    /// }
    /// ```
    /// - Parameters:
    ///   - items: Returns the items of a page.
    ///   - next: Returns the variables of the next page, or `nil` at the end. Its arguments are the data of a page and
    ///     the variables of its request.
    /// - Returns: A request for a loader with `pages(from:policy:)`.
    public func paged<Item: Sendable>(
        items: @escaping @Sendable (Response) -> [Item],
        next: @escaping @Sendable (Response, Variables) throws -> Variables?
    ) -> GraphQLListRequest<Variables, Response, Item> {
        GraphQLListRequest(wrapped: self, items: items, next: next)
    }

    /// Returns a request that loads a connection page by page.
    /// - Parameters:
    ///   - connection: The key path of the connection in the data. If the connection is `null`, the list ends.
    ///   - cursor: The key path of the variable that takes the cursor.
    /// - Returns: A request for a loader with `pages(from:policy:)`. If a page announces a next page but has no cursor,
    ///   the page sequence ends with ``/Errand/ServiceError/Code/badResponse``.
    public func paged<Connection: GraphQLConnection>(
        _ connection: any KeyPath<Response, Connection?> & Sendable,
        after cursor: any WritableKeyPath<Variables, String?> & Sendable
    ) -> GraphQLListRequest<Variables, Response, Connection.Node> {
        connected({ $0[keyPath: connection] }) { $0[keyPath: cursor] = $1 }
    }

    /// Returns a request that loads a non-optional connection page by page.
    /// - Parameters:
    ///   - connection: The key path of the connection in the data.
    ///   - cursor: The key path of the variable that takes the cursor.
    /// - Returns: A request for a loader with `pages(from:policy:)`.
    public func paged<Connection: GraphQLConnection>(
        _ connection: any KeyPath<Response, Connection> & Sendable,
        after cursor: any WritableKeyPath<Variables, String?> & Sendable
    ) -> GraphQLListRequest<Variables, Response, Connection.Node> {
        connected({ $0[keyPath: connection] }) { $0[keyPath: cursor] = $1 }
    }

    fileprivate func connected<Connection: GraphQLConnection>(
        _ connection: @escaping @Sendable (Response) -> Connection?,
        resume: @escaping @Sendable (inout Variables, String) -> Void
    ) -> GraphQLListRequest<Variables, Response, Connection.Node> {
        var list = paged {
            connection($0)?.nodes ?? []
        } next: { page, variables in
            guard let cursor = try connection(page)?.nextCursor() else { return nil }
            var variables = variables
            resume(&variables, cursor)
            return variables
        }
        list.isComplete = { connection($0) != nil }
        return list
    }
}

extension GraphQLRequest where Variables == GraphQLVariables {
    /// Returns a request that loads a connection page by page. If the connection is `null`, the list ends.
    /// - Parameters:
    ///   - connection: The key path of the connection in the data.
    ///   - cursor: The name of the variable that takes the cursor, without `$`.
    /// - Returns: A request for a loader with `pages(from:policy:)`.
    public func paged<Connection: GraphQLConnection>(
        _ connection: any KeyPath<Response, Connection?> & Sendable, after cursor: String
    ) -> GraphQLListRequest<Variables, Response, Connection.Node> {
        connected({ $0[keyPath: connection] }) { $0[cursor] = $1 }
    }

    /// Returns a request that loads a non-optional connection page by page. `cursor` is the name of a variable without
    /// `$`.
    public func paged<Connection: GraphQLConnection>(
        _ connection: any KeyPath<Response, Connection> & Sendable, after cursor: String
    ) -> GraphQLListRequest<Variables, Response, Connection.Node> {
        connected({ $0[keyPath: connection] }) { $0[cursor] = $1 }
    }
}

extension GraphQLConnection {
    /// Returns the cursor of the next page, or `nil` at the end.
    fileprivate func nextCursor() throws(ServiceError) -> String? {
        guard pageInfo.hasNextPage else { return nil }
        guard let cursor = pageInfo.endCursor else {
            throw ServiceError(.badResponse, "expected an endCursor, because hasNextPage is true")
        }
        return cursor
    }
}
