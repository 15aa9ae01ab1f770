import Errand

nonisolated struct User: Codable, Equatable, Sendable { let id: String }
nonisolated struct Users: Decodable, Sendable { let users: [User], cursor: String? }
nonisolated struct UserQuery: Codable, Equatable, Sendable { var text: String, cursor: String? }

struct UserSearch: APIHandler {
    let environment: ShopEnvironment

    func makeRequest(from query: UserQuery) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "users"))
        try setQueryParams(query, on: &request)
        setDefaultHeaders(on: &request)
        return request
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Users {
        try defaultParseResponse(data: data, response: response)
    }
}

extension UserSearch: PagedHandler {
    func items(of page: Users) -> [User] { page.users }

    func nextPage(after page: Loaded<Users>, from query: UserQuery) -> NextPage<UserQuery> {
        page.value.cursor.map { .input(UserQuery(text: query.text, cursor: $0)) } ?? .end
    }
}

/// Loads two pages, and returns the position of the next page in a form that can be stored.
func read(
    _ query: UserQuery, from saved: Data?, with loader: APILoader<UserSearch>
) async throws -> (users: [User], position: Data?) {
    var position =
        try saved.map { try JSONDecoder().decode(PagePosition<UserQuery>.self, from: $0) } ?? PagePosition(query)
    var users: [User] = []
    for try await page in loader.pages(from: position, policy: PagingPolicy(pageLimit: 2)) {
        users += page.items
        guard let next = page.next else { return (users, nil) }
        position = next
    }
    return (users, try JSONEncoder().encode(position))
}
