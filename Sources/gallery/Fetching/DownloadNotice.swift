import Errand
import GalleryCore

/// Tells the API which pictures were downloaded, as Unsplash asks of its clients; nothing but a warning comes of it.
///
/// The address is out of a body: ``DownloadAPI`` asks it only where it is on the API's own origin.
struct DownloadNotice: Sendable {
    private let photos: ListedPhotos
    private let loader: APILoader<DownloadAPI>

    init(_ photos: ListedPhotos, _ place: APIPlace) {
        self.photos = photos
        let call = DownloadAPI(environment: place.environment, accessKey: place.accessKey)
        loader = APILoader(call, session: InTenSeconds(inner: place.session))
    }

    @Sendable func send(_ picture: Picture) async -> String? {
        guard let location = photos.downloadLocation(of: picture) else { return nil }
        do {
            _ = try await loader.load(location)
            return nil
        } catch {
            // Who stops the run knows why.
            if Task.isCancelled { return nil }
            return "the server was not told of the download: " + APIFailure.text(error)
        }
    }
}

/// A session for calls that nobody waits for gladly.
private struct InTenSeconds: APISession {
    let inner: any APISession

    func send(_ request: APIRequest) async throws -> APIResponse {
        var request = request
        request.options.deadline = .after(.seconds(10))
        return try await inner.send(request)
    }
}
