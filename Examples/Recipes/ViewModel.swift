import Errand

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor final class PhotoSearch {
    let model: APIModel<SearchAPI>  // @Observable: a view that reads model.state updates when it changes

    init(_ loader: APILoader<SearchAPI> = APILoader(SearchAPI(environment: .production))) {
        model = APIModel(loader, more: .numbered(\.page))
    }

    func type(_ text: String) async -> String {  // .task(id: text) { await search.type(text) }
        model.load(SearchQuery(text: text), debounce: .milliseconds(300))  // replaces the previous load
        switch await model.settled() {
        case .loaded(let photos): return "\(photos.count) photos"
        case .failed(let error, _): return error.reason
        case .idle, .loading: return ""
        }
    }
}

nonisolated struct SearchQuery: Encodable {
    var text: String
    var page: Int?
}

struct SearchAPI: APIHandler {
    let environment: GalleryEnvironment

    func makeRequest(from query: SearchQuery) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: .photos))
        try setQueryParams(query, on: &request)
        return request
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Photo] {
        try defaultParseResponse(data: data, response: response)
    }
}
