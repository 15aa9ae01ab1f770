import Errand

nonisolated struct LogEntry: Decodable, Sendable { let level: String, message: String }

struct LogAPI: APIHandler {
    let environment: any APIEnvironment<APIPath>

    func makeRequest(from service: String) throws -> URLRequest {
        URLRequest(url: try environment.url(for: "logs/\(service)"))
    }

    func parseResponse(data: Data, response: HTTPURLResponse) {}
}

func failures(of service: String, with loader: APILoader<LogAPI>) async throws(ServiceError) -> [String] {
    var messages: [String] = []
    for try await entry in loader.values(service, as: LogEntry.self) where entry.level == "error" {
        messages.append(entry.message)
    }
    return messages
}

func importCustomers(
    with loader: APILoader<CustomersAPI>, insert: (Customer) async -> Void
) async throws(ServiceError) {
    for try await customer in loader.elements(as: Customer.self) { await insert(customer) }
}
