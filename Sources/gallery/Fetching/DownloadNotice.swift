import Errand
import GalleryCore

/// Reports downloads to the API, as Unsplash requires. A failure is only a warning.
///
/// The URL comes from a response body. ``DownloadAPI`` rejects it unless it is on the API's origin.
struct DownloadNotice: Sendable {
    private let photos: ListedPhotos
    private let loader: APILoader<DownloadAPI>

    init(_ photos: ListedPhotos, _ target: APITarget) {
        self.photos = photos
        let call = DownloadAPI(environment: target.environment, accessKey: target.accessKey)
        loader = APILoader(call, session: InTenSeconds(inner: target.session))
    }

    @Sendable func send(_ picture: Picture) async -> String? {
        guard let location = photos.downloadLocation(of: picture) else { return nil }
        do {
            _ = try await loader.load(location)
            return nil
        } catch {
            // A cancellation requires no warning.
            if Task.isCancelled { return nil }
            return "the download was not reported to the server: " + APIFailure.text(error)
        }
    }
}

/// A session with a deadline of ten seconds.
private struct InTenSeconds: APISession {
    let inner: any APISession

    func send(_ request: APIRequest) async throws -> APIResponse {
        var request = request
        request.options.deadline = .after(.seconds(10))
        return try await inner.send(request)
    }
}
