import Alamofire
import Errand

/// A service of which one request is migrated. Names that both packages declare are prefixed with their module.
struct AccountService: Sendable {
    private enum Server: String, APIEnvironment {
        case production
        var baseURL: BaseURL { "https://api.shop.example" }
    }
    private let old = Session(interceptor: Alamofire.Interceptor(retriers: [Alamofire.RetryPolicy(retryLimit: 3)]))
    private let new: APIClient

    init(retry policy: Errand.RetryPolicy = Errand.RetryPolicy(), over session: some APISession = .platform) {
        new = APIClient(environment: Server.production, session: session.intercepted(by: RetryInterceptor(policy)))
    }

    func names(page: Int, method: Alamofire.HTTPMethod = .get) async throws -> [String] {
        let parameters: Alamofire.Parameters = ["page": page]
        return try await old.request("https://api.shop.example/accounts", method: method, parameters: parameters)
            .validate().serializingDecodable([String].self).value
    }

    func close(_ name: String, method: Errand.HTTPMethod = .delete) async throws {
        let parameters: Errand.Parameters = ["reason": "moved"]
        try await new.request(Endpoint<Void>(method: method, path: "accounts/\(name)", parameters: parameters))
    }
}
