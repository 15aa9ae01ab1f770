import Errand

struct VideoAPI: APIHandler {
    let environment: any APIEnvironment<APIPath>

    func makeRequest(from video: URL) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "videos"))
        request.httpMethod = "POST"
        return request
    }

    func body(for video: URL) -> RequestBody? { .file(video) }

    func parseResponse(data: Data, head: ResponseHead) -> URL { head.url }  // the URL of the upload
}

func upload(
    _ video: URL, with loader: APILoader<VideoAPI>, progress: (Double) -> Void
) async throws(ServiceError) -> URL? {
    let state = video.appendingPathExtension("upload")  // a later process resumes with this file
    for try await event in loader.upload(video, resumingBy: .tus, state: state) {
        switch event {
        case .progress(let transfer): progress(transfer.fraction ?? 0)
        case .finished(let url): return url
        }
    }
    return nil
}

func uploadOnce(
    _ video: URL, with loader: APILoader<VideoAPI>, find: (URL) async throws -> URL?
) async throws -> URL? {
    let state = video.appendingPathExtension("upload")
    do {
        return try await loader.upload(video, resumingBy: .tus, state: state).value
    } catch  where error.code == .responseLost {
        return try await find(video)  // if the server does not have it, upload it again
    }
}
