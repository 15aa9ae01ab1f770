import Errand

/// The query of both calls, with two parameters.
struct ListingQuery: Sendable, Encodable {
    let page: Int
    let search: String

    static let sample = ListingQuery(page: 3, search: "lake")
}

/// The request of both calls.
private func request(to url: URL, _ query: ListingQuery) -> URLRequest {
    let items = [
        URLQueryItem(name: "page", value: "\(query.page)"), URLQueryItem(name: "search", value: query.search),
    ]
    var request = URLRequest(url: url.appending(queryItems: items))
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    request.setValue("errand-bench/1", forHTTPHeaderField: "User-Agent")
    return request
}

/// The call written by hand, without a loader, over the same session.
struct BareCall: Sendable {
    struct Refused: Error { let status: Int }

    let url: URL
    let session: any APISession
    var total: Duration?

    func load(_ query: ListingQuery) async throws -> [Listing.Photo] {
        var options = RequestOptions()
        options.deadline = total.map { .after($0) }
        let response = try await session.send(APIRequest(request(to: url, query), options: options))
        let body = try await response.body.collect()
        guard response.head.isSuccess else { throw Refused(status: response.head.status) }
        return try JSONDecoder().decode([Listing.Photo].self, from: body)
    }
}

/// The same call with a loader.
struct ListingAPI: APIHandler {
    let url: URL
    var total: Duration?
    var isChecked = true

    var validators: [ResponseValidator] { isChecked ? [.status()] : [] }

    func options(for query: ListingQuery) -> RequestOptions {
        var options = RequestOptions()
        options.totalTimeout = total
        return options
    }

    func makeRequest(from query: ListingQuery) -> URLRequest {
        request(to: url, query)
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Listing.Photo] {
        try defaultParseResponse(data: data, response: response)
    }
}
