package import Errand

// The complete networking layer of an app: environments, a path, a model, an API handler and a view model.

package struct GalleryEnvironment: APIEnvironment {
    package let name: String
    package let baseURL: BaseURL

    package static let production = GalleryEnvironment(name: "production", baseURL: "https://api.unsplash.com")
    package static let staging = GalleryEnvironment(name: "staging", baseURL: "https://staging.gallery.example")
    package static func development(_ url: URL) -> Self { Self(name: "development", baseURL: BaseURL(url)) }
}

extension APIPath {
    package static let gallery: APIPath = "photos"
}

package struct GalleryModel: Codable, Equatable, Sendable {
    package struct URLs: Codable, Equatable, Sendable { package let small: URL }

    package let id: String
    package let description: String?
    package let urls: URLs
}

package struct GalleryAPI: APIHandler {
    package let environment: GalleryEnvironment

    package func makeRequest(from parameters: [String: any Sendable]) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: .gallery))
        try setQueryParams(parameters, on: &request)
        setDefaultHeaders(on: &request)
        return request
    }

    package func parseResponse(data: Data, response: HTTPURLResponse) throws -> [GalleryModel] {
        try defaultParseResponse(data: data, response: response)
    }
}

@MainActor package final class GalleryViewModel {
    package private(set) var photos: [GalleryModel] = []
    private let apiLoader: APILoader<GalleryAPI>

    package init(_ environment: GalleryEnvironment, urlSession: some APISession = .platform) {
        apiLoader = APILoader(apiHandler: GalleryAPI(environment: environment), urlSession: urlSession)
    }

    package func fetchGallery(page: Int) async throws(ServiceError) {
        photos += try await apiLoader.load(["page": page, "per_page": 2])
    }
}
