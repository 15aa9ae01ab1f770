import Errand

/// Made once for an account, and given to all its loaders: the interceptors know what happened before.
func accountSession(
    _ account: OAuthAuthorizer, at api: URL, over session: some APISession = .platform
) -> StandardSession {
    .standard(authorization: AuthorizationInterceptor(account, at: api), over: session)
}

func explained(_ loader: APILoader<GalleryAPI>) async throws -> String {
    let loaded = try await loader.response(GalleryQuery())
    return "\(loaded.value.count) photos\n\(loaded.trail)"
}
