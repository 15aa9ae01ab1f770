extension RequestOptions {
    enum RedirectsKey: RequestOptionKey {
        static let defaultValue: RedirectInterceptor.Policy = .follow

        static func sharedValue(_ value: RedirectInterceptor.Policy) -> (any Hashable & Sendable)? { value }
    }

    /// The redirect policy. By default, at most 20 redirects are followed, and none from https to http.
    public var redirects: RedirectInterceptor.Policy {
        get { self[RedirectsKey.self] }
        set { self[RedirectsKey.self] = newValue }
    }
}
