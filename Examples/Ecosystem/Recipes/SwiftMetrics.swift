import Errand
import Metrics

/// Records the duration, the size and the outcome of each request with swift-metrics.
struct MetricsInterceptor: Interceptor {
    func intercept(_ request: APIRequest, next: any APISession) async throws -> APIResponse {
        let start = request.options.time.now
        do {
            let response = try await next.send(request)
            record(request, "\(response.head.status)", since: start, bytes: response.metrics?.bytesReceived)
            return response
        } catch {
            record(request, "\((error as? ServiceError)?.code ?? .transport)", since: start, bytes: nil)
            throw error
        }
    }

    private func record(_ request: APIRequest, _ outcome: String, since start: Duration, bytes: Int64?) {
        let host = request.url?.host() ?? ""
        let labels = [("method", request.method.rawValue), ("host", host), ("outcome", outcome)]
        Metrics.Timer(label: "http.client.duration", dimensions: labels)
            .record(duration: request.options.time.now - start)
        Counter(label: "http.client.received_bytes", dimensions: [("host", host)]).increment(by: bytes ?? 0)
    }
}
