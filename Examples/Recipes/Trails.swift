import Errand

struct TenantInterceptor: Interceptor {
    let tenant: String

    func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        var request = request
        request.head.setValue(tenant, forHTTPHeaderField: "X-Tenant")
        request.options.trail?.note("for \(tenant)", from: .init("tenant"))
        return try await next.send(request)
    }
}

func logged(
    _ loader: APILoader<GalleryAPI>, to log: some LoggingInterceptor.Sink
) async throws(ServiceError) -> [Photo] {
    do throws(ServiceError) {
        let loaded = try await loader.response(GalleryQuery())
        log.log(loaded.trail.json, at: .debug)
        return loaded.value
    } catch {
        log.log("\(error) \(error.trail.json)", at: .error)
        throw error
    }
}

/// Returns the attempts of an API call that took longer than a limit, and whether they reused a connection.
func slowAttempts(in trail: Trail, over limit: Duration) -> [String] {
    trail.events.filter { ($0.attempt?.elapsed ?? .zero) > limit }.map { event in
        let connection = event.metrics?.isConnectionReused == true ? "an open connection" : "a new connection"
        return "\(event.message) over \(connection)"
    }
}
