import Errand
import Testing

/// A session with a body that a test creates for each request.
struct BodySession: APISession {
    let headers: HeaderFields
    let body: @Sendable () -> ResponseBody

    func send(_ request: APIRequest) async throws -> APIResponse {
        let url = try #require(request.url)
        return APIResponse(head: ResponseHead(status: 200, headers: headers, url: url), body: body())
    }
}
