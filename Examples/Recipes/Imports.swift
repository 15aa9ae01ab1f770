import Errand

/// JSON Lines with one customer each. A line is encoded when the connection requests it.
nonisolated struct CustomerLines: AsyncSequence, Sendable {
    let customers: [Customer]

    func makeAsyncIterator() -> Iterator { Iterator(rest: customers[...]) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Customer>

        mutating func next() async throws -> Data? {
            guard let customer = rest.popFirst() else { return nil }
            return try JSONEncoder.errand.encode(customer) + Data("\n".utf8)
        }
    }
}

struct ImportAPI: APIHandler {
    let environment: any APIEnvironment<APIPath>

    func makeRequest(from customers: [Customer]) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "customers/import"))
        request.httpMethod = "POST"
        request.setValue("application/jsonl", forHTTPHeaderField: "Content-Type")
        return request
    }

    func body(for customers: [Customer]) -> RequestBody? {
        .stream { CustomerLines(customers: customers) }  // each attempt opens a new stream
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> String {
        try defaultParseResponse(data: data, response: response)
    }
}
