import Errand
import ErrandGraphQL

nonisolated struct IssueVariables: Encodable, Sendable { var cursor: String? }
nonisolated struct Issue: Decodable, Equatable, Sendable { let title: String }
struct Issues: GraphQLConnection { let nodes: [Issue], pageInfo: GraphQLPageInfo }
nonisolated struct IssuePage: Decodable, Sendable { let issues: Issues }

func titles(at url: URL, over session: some APISession = .platform) async throws -> [String] {
    let document = try QueryDocument(
        "query Issues($cursor: String) { issues(after: $cursor) { nodes { title } pageInfo { hasNextPage endCursor } } }"
    )
    let list = GraphQLRequest<IssueVariables, IssuePage>(document, at: url).paged(\.issues, after: \.cursor)
    var titles: [String] = []
    for try await issue in APILoader(list, session: session).pages(from: IssueVariables()).items {
        titles.append(issue.title)
    }
    return titles
}
