import Errand

nonisolated struct Comment: Encodable, Sendable { let text: String, stars: Int }
nonisolated struct Receipt: Decodable, Equatable, Sendable { let id: String }
struct ShopError: LocalizedError, Decodable {
    let message: String
    var errorDescription: String? { message }
}

struct CommentAPI: APIHandler {
    let environment: ShopEnvironment
    var validators: [ResponseValidator] { [.serverError(ShopError.self), .status()] }

    func makeRequest(from comment: Comment) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "comments"))
        request.httpMethod = "POST"
        try setJSONBody(comment, on: &request)
        setDefaultHeaders(on: &request)
        return request
    }

    func options(for comment: Comment) -> RequestOptions {
        var options = RequestOptions()
        options.totalTimeout = .seconds(10)
        return options
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Receipt {
        try defaultParseResponse(data: data, response: response)
    }
}

func post(_ comment: Comment, with loader: APILoader<CommentAPI>) async -> String {
    do {
        return try await loader.load(comment).id
    } catch  where error.status == 422 {
        return error.serverMessage ?? "The server did not like the comment."
    } catch {
        return "\(error)"  // one line with code, status, request and reason, without secrets
    }
}
