import Errand

/// Create one session for each account and share it between loaders, because interceptors keep state between requests.
func accountSession(
    _ account: OAuthAuthorizer, at api: URL, over session: some APISession = .platform
) -> StandardSession {
    .standard(authorization: AuthorizationInterceptor(account, at: api), over: session)
}

func explained(_ loader: APILoader<GalleryAPI>) async throws -> String {
    let loaded = try await loader.response(GalleryQuery())
    return "\(loaded.value.count) photos\n\(loaded.trail)"
}
