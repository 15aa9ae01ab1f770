import Errand
import GalleryCore

/// Tells the API which pictures were downloaded, as Unsplash asks of its clients; nothing but a warning comes of it.
///
/// The address is out of a body: ``DownloadAPI`` asks it only where it is on the API's own origin.
struct DownloadNotice: Sendable {
    private let locations: [ExactText: URL]
    private let loader: APILoader<DownloadAPI>

    init(_ photos: [GalleryModel], _ place: APIPlace) {
        locations = photos.reversed().reduce(into: [:]) { $0[ExactText($1.id)] = $1.links.downloadLocation }
        let call = DownloadAPI(environment: place.environment, accessKey: place.accessKey)
        loader = APILoader(call, session: InTenSeconds(inner: place.session))
    }

    @Sendable func send(_ picture: Picture) async -> String? {
        guard let location = locations[ExactText(picture.id)] else { return nil }
        do {
            _ = try await loader.load(location)
            return nil
        } catch {
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
