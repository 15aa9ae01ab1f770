import Errand

nonisolated enum TripState: String, Sendable { case planned, departed }

nonisolated struct Stop: Decodable, Equatable, Sendable { let name: String }

struct Trip: nonisolated Decodable, Sendable {
    @StringID var id: String  // "7" or 7
    @LossyArray var stops: [Stop]  // skips invalid elements and stores their errors in `$stops`
    let state: OpenEnum<TripState>  // a new state is .unknown("cancelled")
    let departsAt: Date
}

struct TripAPI: APIHandler {
    let environment: ShopEnvironment

    /// Decodes `departs_at` as `departsAt`. Dates are ISO 8601, the default of `JSONDecoder.errand`.
    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder.errand
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()

    func makeRequest(from id: String) throws -> URLRequest {
        URLRequest(url: try environment.url(for: "trips/\(id)"))
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> Trip {
        try defaultParseResponse(data: data, response: response, decoder: Self.decoder)
    }
}
