import Errand

struct CustomersAPI: APIHandler {
    let environment: any APIEnvironment<APIPath>

    func makeRequest(from data: Void) throws -> URLRequest {
        URLRequest(url: try environment.url(for: "customers"))
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Customer] {
        try defaultParseResponse(data: data, response: response)
    }
}

nonisolated struct CustomerList: Sendable { var customers: [Customer] = [], validators = ResourceValidators() }

/// Loads a list again if it has changed. Returns `false` if it has not.
func refresh(_ list: inout CustomerList, with loader: APILoader<CustomersAPI>) async throws(ServiceError) -> Bool {
    guard case .modified(let loaded) = try await loader.loadIfModified(list.validators) else { return false }
    list = CustomerList(customers: loaded.value, validators: loaded.validators)
    return true
}

/// Renames a customer. Returns `nil` if the customer has changed since the response with these validators.
func renameUnchanged(
    _ customer: Customer, to name: String, _ validators: ResourceValidators, with client: APIClient
) async throws(ServiceError) -> Customer? {
    var endpoint = Endpoint<Customer>.rename(customer.id, to: name)
    endpoint.options.precondition = .ifUnmodified(validators)
    do { return try await client.request(endpoint) } catch  where error.status == 412 { return nil }
}
