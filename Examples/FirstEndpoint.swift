import Errand

struct Customer: Codable, Equatable, Sendable { let id: String, name: String }

extension Endpoint where Response == Customer {
    static func customer(_ id: String) -> Self { Endpoint(path: "customers/\(id)") }

    static func rename(_ id: String, to name: String) -> Self {
        Endpoint(method: .patch, path: "customers/\(id)", parameters: ["name": name])
    }
}

enum ShopEnvironment: String, APIEnvironment, CaseIterable {
    case development, production

    var baseURL: BaseURL {
        switch self {
        case .development: "http://localhost:8080"
        case .production: "https://api.shop.example/v2"
        }
    }
}

func renamed(session: some APISession = .platform) async throws -> Customer {
    let client = APIClient(environment: ShopEnvironment.production, session: session)
    let customer = try await client.request(.rename("7", to: "Ada"))
    return customer
}
