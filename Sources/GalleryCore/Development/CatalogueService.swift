internal import Errand
internal import ErrandLoopback
import ErrandSupport

/// Serves the gallery's API from the bundled catalogue and the uploaded pictures.
final class CatalogueService: Sendable {
    private struct State {
        var quota: HourlyQuota
        var downloads: [String: Int] = [:]
        var uploads = RecentItems<UploadedPicture>(limit: 20, byteLimit: 64_000_000)
        /// `nil` until the server listens.
        var base: CatalogueBase?
    }

    let catalogue: Catalogue
    private let state: Locked<State>
    let chooseIndex: @Sendable (Range<Int>) -> Int
    let makeIdentifier: @Sendable () -> String
    private let accessKey: Secret?
    private let links: URL?
    let time: any TimeSource

    init(_ catalogue: Catalogue, _ configuration: DevelopmentServer.Configuration) {
        self.catalogue = catalogue
        accessKey = configuration.accessKey
        links = configuration.links
        time = configuration.time
        chooseIndex = configuration.chooseIndex
        makeIdentifier = configuration.makeIdentifier
        state = Locked(State(quota: HourlyQuota(limit: configuration.rateLimit, start: configuration.time.now)))
    }

    /// The number of downloads of each photo, keyed by identifier.
    var downloads: [String: Int] { state.withLock { $0.downloads } }

    func countDownload(of id: String) {
        state.withLock { $0.downloads[id, default: 0] += 1 }
    }

    /// The uploaded pictures, newest first.
    var uploads: [UploadedPicture] { state.withLock { $0.uploads.items } }

    /// Adds an uploaded picture, and removes the oldest ones that exceed the limits.
    func add(_ upload: UploadedPicture) {
        state.withLock { $0.uploads.add(upload, bytes: upload.picture.data.count) }
    }

    /// Sets the URL that the server listens on. Before this call, every response has status 503.
    func settle(at base: URL) {
        state.withLock { $0.base = CatalogueBase(api: base, links: links ?? base) }
    }

    /// Returns the response to a request. Errors are responses, too.
    func reply(to request: LoopbackRequest) -> LoopbackReply {
        guard let base = state.withLock({ $0.base }) else { return .status(503) }
        do throws(Refusal) {
            let segments = request.path.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
            if request.method == "POST", segments == ["photos"] {
                return try counted(request) { () throws(Refusal) in try upload(request, base) }
            }
            guard request.method == "GET" || request.method == "HEAD" else {
                throw Refusal(405, "method not allowed: expected GET or HEAD")
            }
            if segments.count == 2, segments[0] == "pictures" { return try picture(segments[1], request) }
            if segments.first == "web" { return try page(segments.dropFirst().joined(separator: "/"), base) }
            return try counted(request) { () throws(Refusal) in try photos(segments, request, base) }
        } catch {
            return Self.refusal(error)
        }
    }

    private func photos(
        _ segments: [String], _ request: LoopbackRequest, _ base: CatalogueBase
    ) throws(Refusal) -> LoopbackReply {
        switch (segments.count, segments.first, segments.last) {
        case (1, "photos", _): return try list(allPhotos, request, base)
        case (2, "photos", "random"): return try random(request, base)
        case (2, "photos", let id?): return cacheable(full(try photo(id), base.links), for: request, lifetime: .none)
        case (3, "photos", "download"): return try download(segments[1], base.links)
        case (2, "search", "photos"): return try search(request, base)
        case (2, "users", let name?):
            return cacheable(try photographer(name).model(at: base.links), for: request, lifetime: .none)
        case (3, "users", "photos"): return try list(try photos(of: segments[1]), request, base)
        default: throw Refusal(404, "Couldn't find this URL")
        }
    }

    /// Checks the access key, counts the API call and adds the rate-limit headers to the response.
    private func counted(
        _ request: LoopbackRequest, _ make: () throws(Refusal) -> LoopbackReply
    ) throws(Refusal) -> LoopbackReply {
        if let accessKey, request["Authorization"] != "Client-ID \(accessKey.reveal())" {
            throw Refusal(401, "OAuth error: The access token is invalid")
        }
        let now = time.now
        let (limit, remaining) = state.withLock { ($0.quota.limit, $0.quota.take(at: now)) }
        var reply: LoopbackReply
        do throws(Refusal) {
            guard remaining != nil else { throw Refusal(403, "Rate Limit Exceeded") }
            reply = try make()
        } catch {
            reply = Self.refusal(error)
        }
        reply.headers += [
            LoopbackHeader("X-Ratelimit-Limit", "\(limit)"),
            LoopbackHeader("X-Ratelimit-Remaining", "\(remaining ?? 0)"),
        ]
        return reply
    }

    static func json(_ value: some Encodable, status: Int = 200) -> LoopbackReply {
        guard let data = try? JSONEncoder.errand.encode(value) else { return .status(500) }
        return .json(data, status: status).header("Cache-Control", "no-cache, no-store, must-revalidate")
    }

    private static func refusal(_ refusal: Refusal) -> LoopbackReply {
        json(UnsplashError(errors: [refusal.message]), status: refusal.status)
    }
}

/// The URLs that the responses of a server begin with.
struct CatalogueBase: Sendable {
    /// The server's own URL, for the links between the pages of a list.
    let api: URL
    /// The URL for links to photos, users and pictures.
    let links: URL
}
