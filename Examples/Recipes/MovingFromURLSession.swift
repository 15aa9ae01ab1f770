import Errand

/// Replaces `data(for:)`, the status check and the decoder. The input is an existing request.
struct Fetch<Value: Decodable & Sendable>: APIHandler {
    func makeRequest(from request: URLRequest) -> URLRequest { request }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Value {
        try defaultParseResponse(data: data, response: response)
    }
}

func photos(at url: URL, over session: URLSession = .shared) async throws(ServiceError) -> [Photo] {
    var request = URLRequest(url: url)
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    return try await APILoader(Fetch<[Photo]>(), session: session).load(request)
}
