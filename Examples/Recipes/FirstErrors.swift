import Errand

struct PhotoAPI: APIHandler {
    let environment: GalleryEnvironment

    func makeRequest(from id: String) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: .photo(id: id)))
        setDefaultHeaders(on: &request)
        return request
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Photo {
        try defaultParseResponse(data: data, response: response)
    }
}

func caption(of id: String, with loader: APILoader<PhotoAPI>) async -> String {
    do {
        return try await loader.load(id).description ?? "untitled"
    } catch  where error.status == 404 {
        return "this photo is gone"
    } catch  where [.connection, .connectionLost, .timeout].contains(error.code) {
        return "the gallery can't be reached"
    } catch {
        return error.localizedDescription  // one sentence for the user
    }
}
