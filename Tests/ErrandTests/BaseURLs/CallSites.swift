import Errand

// Two APIs in one module. Each has its own environments and paths.

enum GalleryPath: APIPathConvertible {
    case photos
    case photo(id: String)
    case userPhotos(username: String, page: Int? = nil)

    var path: APIPath {
        switch self {
        case .photos: "/photos"
        case .photo(let id): "/photos/\(id)"
        case .userPhotos(let name, let page): APIPath("/users/{name}/photos{?page}", ["name": name, "page": page])
        }
    }
}

enum GalleryEnvironment: String, APIEnvironment, CaseIterable {
    typealias Path = GalleryPath
    case development, staging, production

    var baseURL: BaseURL {
        switch self {
        case .development: BaseURL(scheme: "http", domain: "[::1]", port: 8080)
        case .staging: BaseURL(subdomain: "api.staging", domain: "gallery.example", port: 8443, route: "v2")
        case .production: "https://api.gallery.example/v2"
        }
    }

    var defaultHeaders: HeaderFields { ["Accept-Version": "v2"] }
}

enum AccountsEnvironment: String, APIEnvironment, CaseIterable {
    case development, staging, production

    var baseURL: BaseURL {
        switch self {
        case .development: "http://localhost:9090"
        case .staging: "https://accounts.staging.example"
        case .production: "https://accounts.example/oauth?tenant=main"
        }
    }
}

struct LocalEnvironment: APIEnvironment {
    let name = "local"
    let baseURL: BaseURL
}
