import Errand

/// Loads the photos twice. The second call uses the stored response as long as it is fresh.
func loadTwice(over session: some APISession) async throws(ServiceError) -> (first: Duration?, second: Duration?) {
    let loader = APILoader(GalleryAPI(environment: .production), session: session.cached(in: MemoryCacheStore()))
    let first = try await loader.response(GalleryQuery())
    let second = try await loader.response(GalleryQuery())
    return (first.cacheAge, second.cacheAge)
}

/// Loads a customer from the server, and stores the response.
func reload(_ id: String, with client: APIClient) async throws(ServiceError) -> Customer {
    var endpoint = Endpoint<Customer>.customer(id)
    endpoint.options.cacheMode = .reload
    return try await client.request(endpoint)
}

/// Creates a session that keeps the responses of an account on disk.
func cachedSession(
    _ account: some Authorizer, at api: URL, in folder: URL, over session: some APISession = .platform
) throws(ServiceError) -> StandardSession {
    .standard(
        authorization: AuthorizationInterceptor(account, at: api),
        cache: CacheInterceptor(try DiskCacheStore(folder: folder)), over: session)
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor final class PhotoScreen {
    let model: APIModel<GalleryAPI>

    init(_ session: some APISession, in store: some CacheStore) {
        model = APIModel(APILoader(GalleryAPI(environment: .production), session: session.cached(in: store)))
    }

    func appear() {
        model.load(GalleryQuery(), showingCached: true)
    }

    /// A text below the photos, such as `5 minutes old, updating`.
    var status: String {
        let age = model.cacheAge.map { "\(Int($0 / .seconds(60))) minutes old" }
        let progress = model.state.isLoading ? "updating" : model.state.error?.reason
        return [age, progress].compactMap(\.self).joined(separator: ", ")
    }
}
