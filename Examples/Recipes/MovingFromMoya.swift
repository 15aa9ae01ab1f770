import Errand

nonisolated struct Review: Codable, Equatable, Sendable { let text: String }

enum Reviews {
    static func list(of item: String) -> Endpoint<[Review]> { Endpoint(path: "items/\(item)/reviews") }

    static func add(_ review: Review, to item: String) -> Endpoint<Void> {
        Endpoint(method: .post, path: "items/\(item)/reviews", parameters: .json(review))
    }

    static func remove(_ id: String) -> Endpoint<Void> { Endpoint(method: .delete, path: "reviews/\(id)") }
}

func add(
    _ review: Review, to item: String, with client: some ClientProtocol
) async throws(ServiceError) -> [Review] {
    try await client.request(Reviews.add(review, to: item))
    return try await client.request(Reviews.list(of: item))
}

/// Replaces `sampleData`: a client that returns values.
struct ReviewStub: ClientProtocol {
    let reviews: [Review]

    func request<Response>(_ endpoint: Endpoint<Response>) async throws(ServiceError) -> Response {
        if let list = reviews as? Response { return list }
        if let nothing = () as? Response { return nothing }
        throw ServiceError(.configuration, "expected an endpoint of Reviews, found \(endpoint.path)")
    }
}
