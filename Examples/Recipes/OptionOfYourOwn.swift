import Errand

extension RequestOptions {
    nonisolated private enum RegionKey: RequestOptionKey {
        static let defaultValue: String? = nil

        // Requests of the same region may share a response.
        static func sharedValue(_ value: String?) -> (any Hashable & Sendable)? { value }
    }

    /// The region of a request. `nil` (the default) sends no header.
    nonisolated var region: String? {
        get { self[RegionKey.self] }
        set { self[RegionKey.self] = newValue }
    }
}

/// Sends the region of a request as a header.
struct RegionInterceptor: Interceptor {
    func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        guard let region = request.options.region else { return try await next.send(request) }
        var request = request
        request.head.setValue(region, forHTTPHeaderField: "X-Region")
        return try await next.send(request)
    }
}
