import Errand

nonisolated struct Order: Codable, Equatable, Sendable { let item: String, count: Int }

struct OrderAPI: APIHandler {
    let environment: ShopEnvironment

    func makeRequest(from order: Order) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "orders"))
        request.httpMethod = "POST"
        try setJSONBody(order, on: &request)
        setDefaultHeaders(on: &request)
        return request
    }

    func options(for order: Order) -> RequestOptions {
        var options = RequestOptions()
        options.idempotency = .byKey  // one Idempotency-Key for all attempts of an API call
        options.totalTimeout = .seconds(20)  // includes all attempts and waits
        return options
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Receipt {
        try defaultParseResponse(data: data, response: response)
    }
}

func place(_ order: Order, with loader: APILoader<OrderAPI>) async -> String {
    do {
        return try await loader.load(order).id
    } catch {
        let tries = error.attempts.map { $0.status.map(String.init) ?? "\($0.failure ?? error.code)" }
        return "no order after \(tries.joined(separator: ", "))"
    }
}
