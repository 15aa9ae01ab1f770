import Errand

struct FilmAPI: APIHandler {
    let environment: any APIEnvironment<APIPath>

    func makeRequest(from name: String) throws -> URLRequest {
        URLRequest(url: try environment.url(for: "films/\(name)"))
    }

    func parseResponse(data: Data, response: HTTPURLResponse) -> Data { data }
}

func download(_ name: String, to file: URL, with loader: APILoader<FilmAPI>) async throws(ServiceError) -> Int64 {
    let film = try await loader.stream(name)  // returns when the validators have accepted the header section
    return try await film.value.save(to: file, upTo: 4 << 30)
}
