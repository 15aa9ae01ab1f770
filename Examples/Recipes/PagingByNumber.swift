import Errand

nonisolated struct ProductQuery: Encodable {
    var page = 1
    var perPage = 2
}

nonisolated struct Product: Decodable, Sendable { let name: String }

struct ProductsAPI: APIHandler {
    let environment: ShopEnvironment

    func makeRequest(from query: ProductQuery) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "products"))
        try setQueryParams(query, on: &request)
        setDefaultHeaders(on: &request)
        return request
    }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Product] {
        try defaultParseResponse(data: data, response: response)
    }
}

extension ProductsAPI: PagedHandler {
    var paging: PagingRule<ProductQuery> { .numbered(\.page) }  // until a page is empty
}

func productNames(with loader: APILoader<ProductsAPI>) async throws -> [String] {
    var names: [String] = []
    for try await product in loader.pages(from: ProductQuery()).items { names.append(product.name) }
    return names
}
