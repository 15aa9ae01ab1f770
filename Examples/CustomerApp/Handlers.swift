package import Errand

package typealias ShopEnvironment = CustomEnvironment<APIPath>

/// Uploads a picture as the request body.
package struct UploadImageAPI: APIHandler {
    package let environment: ShopEnvironment

    package func makeRequest(from image: Data) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "images"))
        request.httpMethod = "POST"
        setDefaultHeaders(on: &request)
        request.setValue("image/png", forHTTPHeaderField: "Content-Type")
        return request
    }

    package func body(for image: Data) -> RequestBody? { .data(image) }

    package func parseResponse(data: Data, response: HTTPURLResponse) throws -> UploadedImage {
        try defaultParseResponse(data: data, response: response)
    }
}

/// Requests the locations with names that begin with a text.
package struct AutocompleteAPI: APIHandler {
    package let environment: ShopEnvironment

    package init(environment: ShopEnvironment) { self.environment = environment }

    package func makeRequest(from text: String) throws -> URLRequest {
        var request = URLRequest(url: try environment.url(for: "locations"))
        try setQueryParams(["query": text], on: &request)
        setDefaultHeaders(on: &request)
        return request
    }

    package func parseResponse(data: Data, response: HTTPURLResponse) throws -> [Location] {
        try defaultParseResponse(data: data, response: response)
    }
}
