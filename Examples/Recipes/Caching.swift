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
