import Errand

nonisolated struct GalleryQuery: Encodable { var page = 1 }
nonisolated struct Photo: Codable, Equatable { let id: String, description: String? }

enum GalleryPath: APIPathConvertible {
    case photos, photo(id: String)

    var path: APIPath {
        switch self {
        case .photos: "/photos"
        case .photo(let id): "/photos/\(id)"  // percent-encoded if necessary
        }
    }
}

enum GalleryEnvironment: String, APIEnvironment, CaseIterable {
    case staging, production
    typealias Path = GalleryPath  // without this line, paths are plain strings such as "/photos"

    var baseURL: BaseURL {
        switch self {
        case .staging: BaseURL(subdomain: "api.staging", domain: "gallery.example", route: "v1")
        case .production: "https://api.gallery.example/v1"
        }
    }
}

struct GalleryAPI: APIHandler {
    let environment: GalleryEnvironment

    func makeRequest(from query: GalleryQuery) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: .photos))
        try setQueryParams(query, on: &request)
        setDefaultHeaders(on: &request)
        return request
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Photo] {
        try defaultParseResponse(data: data, response: response)
    }
}

func firstPage() async throws -> [Photo] {
    let loader = APILoader(GalleryAPI(environment: .production))
    let photos = try await loader.load(GalleryQuery(page: 1))
    return photos
}
