import Errand

enum ShopEnvironment: String, APIEnvironment, CaseIterable {
    case development, production

    var baseURL: BaseURL {
        switch self {
        case .development: "http://localhost:8080"
        case .production: "https://api.shop.example/v2"
        }
    }
}

nonisolated struct Customer: Codable, Equatable, Sendable { let id: String, name: String }

extension Endpoint where Response == Customer {
    static func customer(_ id: String) -> Self { Endpoint(path: "customers/\(id)") }

    static func rename(_ id: String, to name: String) -> Self {
        Endpoint(method: .patch, path: "customers/\(id)", parameters: ["name": name])
    }

    static func add(_ customer: Customer) -> Self {
        Endpoint(method: .post, path: "customers", parameters: .json(customer))
    }
}

func renamed() async throws -> Customer {
    let client = APIClient(environment: try ShopEnvironment(named: "production"))
    let customer = try await client.request(.rename("7", to: "Ada"))
    return customer
}
