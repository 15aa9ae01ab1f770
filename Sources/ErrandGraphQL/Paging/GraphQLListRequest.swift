public import Errand

/// A query whose answers are the pages of a list; ``GraphQLRequest`` makes it.
///
/// ```swift
/// // query Issues($cursor: String) { repository { issues(after: $cursor) { nodes { title } pageInfo { … } } } }
/// struct IssueVariables: Encodable { var cursor: String? }
/// let list = GraphQLRequest<IssueVariables, IssuePage>(document, at: url).paged(\.repository.issues, after: \.cursor)
/// for try await issue in APILoader(list, session: session).pages(from: IssueVariables()).items { show(issue) }
/// ```
/// A page with errors ends the walk as ``GraphQLResponse/requireComplete()`` does, so that nobody takes a part of a list for
/// all of it; where ``allowsPartialData`` is true, it is given with its ``GraphQLResponse/errors``.
public struct GraphQLListRequest<Variables: Encodable & Sendable, Response: Decodable & Sendable, Item: Sendable>:
    PagedHandler, WrappingHandler
{
    /// The call for a page.
    public var wrapped: GraphQLRequest<Variables, Response>
    /// Whether a page may have errors beside its data: no. Where it may, read the pages and not their items, which show no
    /// errors; one without data ends the walk with them all the same, as does one whose connection is null.
    public var allowsPartialData: Bool = false
    let items: @Sendable (Response) -> [Item]
    let next: @Sendable (Response, Variables) throws -> Variables?
    /// Whether the data has the list at all.
    var isWhole: @Sendable (Response) -> Bool = { _ in true }

    /// What is on a page.
    public func items(of page: GraphQLResponse<Response>) -> [Item] {
        page.data.map(items) ?? []
    }

    /// The variables of the next page.
    /// - Throws: ``/Errand/ServiceError`` with ``Errand/ServiceError/Code/graphQL`` where the page has no data, and what the
    ///   list's own rule throws.
    public func nextPage(
        after page: Loaded<GraphQLResponse<Response>>, from variables: Variables
    ) throws -> NextPage<Variables> {
        let data = try page.value.requireData()
        if !isWhole(data), !page.value.errors.isEmpty { throw page.value.failure }
        return try next(data, variables).map { .input($0) } ?? .end
    }

    /// As ``GraphQLRequest/makeRequest(from:)``; for anything but a query it throws ``/Errand/ServiceError`` with
    /// ``/Errand/ServiceError/Code/encoding``.
    public func makeRequest(from variables: Variables) throws -> URLRequest {
        guard wrapped.document.operation.kind == .query else {
            throw ServiceError(.encoding, "a list is read by a query")
        }
        return try wrapped.makeRequest(from: variables)
    }

    /// As ``GraphQLRequest/parseResponse(data:head:)``, and it has errors only where ``allowsPartialData`` says so.
    public func parseResponse(data: Data, head: ResponseHead) throws -> GraphQLResponse<Response> {
        let answer = GraphQLAnswer(head: head, body: data, decoder: wrapped.decoder)
        return allowsPartialData ? try answer.response() : try answer.complete().response
    }
}

extension GraphQLRequest {
    /// The query as one of many pages, each of which tells the variables of the next.
    ///
    /// ```swift
    /// let list = request.paged { $0.characters.results } next: { page, variables in
    ///     page.characters.info.next.map { CharactersVariables(filter: variables.filter, page: $0) }
    /// }
    /// ```
    /// - Parameters:
    ///   - items: What is on a page.
    ///   - next: The variables of the page after one that was asked for with some; nil at the end.
    /// - Returns: A call whose loader has `pages(from:policy:)`.
    public func paged<Item: Sendable>(
        items: @escaping @Sendable (Response) -> [Item],
        next: @escaping @Sendable (Response, Variables) throws -> Variables?
    ) -> GraphQLListRequest<Variables, Response, Item> {
        GraphQLListRequest(wrapped: self, items: items, next: next)
    }

    /// The query as one of many parts of a connection.
    /// - Parameters:
    ///   - connection: Where in the data it is; where it is null, the list ends.
    ///   - cursor: Which variable takes the place to go on from.
    /// - Returns: A call whose loader has `pages(from:policy:)`. A part that says that there is more, and not
    ///   where, ends the walk with ``/Errand/ServiceError/Code/badResponse``.
    public func paged<Connection: GraphQLConnection>(
        _ connection: any KeyPath<Response, Connection?> & Sendable,
        after cursor: any WritableKeyPath<Variables, String?> & Sendable
    ) -> GraphQLListRequest<Variables, Response, Connection.Node> {
        connected({ $0[keyPath: connection] }) { $0[keyPath: cursor] = $1 }
    }

    /// The query as one of many parts of a connection that is always there.
    /// - Parameters:
    ///   - connection: Where in the data it is.
    ///   - cursor: Which variable takes the place to go on from.
    /// - Returns: A call whose loader has `pages(from:policy:)`.
    public func paged<Connection: GraphQLConnection>(
        _ connection: any KeyPath<Response, Connection> & Sendable,
        after cursor: any WritableKeyPath<Variables, String?> & Sendable
    ) -> GraphQLListRequest<Variables, Response, Connection.Node> {
        connected({ $0[keyPath: connection] }) { $0[keyPath: cursor] = $1 }
    }

    fileprivate func connected<Connection: GraphQLConnection>(
        _ connection: @escaping @Sendable (Response) -> Connection?,
        goOn: @escaping @Sendable (inout Variables, String) -> Void
    ) -> GraphQLListRequest<Variables, Response, Connection.Node> {
        var list = paged {
            connection($0)?.nodes ?? []
        } next: { page, variables in
            guard let place = try connection(page)?.placeBehind() else { return nil }
            var variables = variables
            goOn(&variables, place)
            return variables
        }
        list.isWhole = { connection($0) != nil }
        return list
    }
}

extension GraphQLRequest where Variables == GraphQLVariables {
    /// The query as one of many parts of a connection; where it is null, the list ends.
    /// - Parameters:
    ///   - connection: Where in the data it is.
    ///   - cursor: The name of the variable that takes the place to go on from, without `$`.
    /// - Returns: A call whose loader has `pages(from:policy:)`.
    public func paged<Connection: GraphQLConnection>(
        _ connection: any KeyPath<Response, Connection?> & Sendable, after cursor: String
    ) -> GraphQLListRequest<Variables, Response, Connection.Node> {
        connected({ $0[keyPath: connection] }) { $0[cursor] = $1 }
    }

    /// The query as one of many parts of a connection that is always there; otherwise the same.
    public func paged<Connection: GraphQLConnection>(
        _ connection: any KeyPath<Response, Connection> & Sendable, after cursor: String
    ) -> GraphQLListRequest<Variables, Response, Connection.Node> {
        connected({ $0[keyPath: connection] }) { $0[cursor] = $1 }
    }
}

extension GraphQLConnection {
    /// The cursor of the part behind this one; nil at the end.
    fileprivate func placeBehind() throws(ServiceError) -> String? {
        guard pageInfo.hasNextPage else { return nil }
        guard let place = pageInfo.endCursor else {
            throw ServiceError(.badResponse, "the connection goes on, but its page has no endCursor")
        }
        return place
    }
}
