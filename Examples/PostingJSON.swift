import Errand

struct Comment: Encodable, Sendable { let text: String, stars: Int }
struct Receipt: Decodable, Equatable, Sendable { let id: String }

struct CommentAPI: APIHandler {
    let environment: ShopEnvironment

    func makeRequest(from comment: Comment) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "comments"))
        request.httpMethod = "POST"
        try setJSONBody(comment, on: &request)
        return request
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Receipt {
        try defaultParseResponse(data: data, response: response)
    }
}

func posted(session: some APISession = .platform) async -> String {
    let loader = APILoader(CommentAPI(environment: .production), session: session)
    do {
        return try await loader.load(Comment(text: "Lovely", stars: 5)).id
    } catch  where error.status == 422 {
        return "The server did not like the comment."
    } catch {
        return "\(error)"  // one line: code, status, call and reason, without secrets
    }
}
