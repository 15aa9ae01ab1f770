import Errand

struct Rate: Equatable, Sendable { let currency: String, perEuro: Double }

struct RatesAPI: APIHandler {
    let environment: ShopEnvironment

    var validators: [ResponseValidator] {
        [.serverError(ShopError.self), .status(), .contentType("text/csv"), .notEmpty]
    }

    func makeRequest(from query: (currencies: [String], day: String)) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "rates"))
        try setQueryParams(["currency": query.currencies, "day": query.day], on: &request)
        setDefaultHeaders(on: &request, accept: "text/csv")
        return request
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Rate] {
        let text: String = try defaultParseResponse(data: data, response: response)
        return try text.split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: ";")
            guard cells.count == 2, let number = Double(cells[1]) else {
                throw ServiceError(.decoding, "a line of the rates has no number")
            }
            return Rate(currency: String(cells[0]), perEuro: number)
        }
    }
}

extension ResponseValidator {
    /// Rejects an empty body. This service responds with status 200 and an empty body when it is switched off.
    nonisolated static var notEmpty: ResponseValidator {
        ResponseValidator { _, _, body in
            if body.isEmpty { throw ServiceError(.validation, "the rates are switched off") }
        }
    }
}

func rates(of currencies: [String], on day: String, with loader: APILoader<RatesAPI>) async throws -> [Rate] {
    try await loader.load((currencies, day))
}
