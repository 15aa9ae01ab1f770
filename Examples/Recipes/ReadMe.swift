import Errand

struct PhotosAPI: APIHandler {
    let environment = CustomEnvironment<APIPath>(name: "local", baseURL: "http://127.0.0.1:8080")

    func makeRequest(from page: Int) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "/photos"))
        try setQueryParams(["page": page], on: &request)
        return request
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Photo] {
        try defaultParseResponse(data: data, response: response)
    }
}

func firstPhotos() async throws -> [Photo] {
    let photos = try await APILoader(PhotosAPI()).load(1)
    return photos
}

func count(of page: Int, with loader: APILoader<PhotosAPI>) async throws -> Int {
    do {
        return try await loader.load(page).count
    } catch  where error.status == 404 {
        return 0  // the server has no such page
    }
}
