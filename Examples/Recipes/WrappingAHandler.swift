import Errand

/// Sends the version of the app with each request, and behaves like the wrapped handler otherwise.
struct Versioned<Wrapped: APIHandler>: WrappingHandler {
    let wrapped: Wrapped

    func makeRequest(from data: Wrapped.RequestDataType) throws -> URLRequest {
        var request = try wrapped.makeRequest(from: data)
        let agent = UserAgent(product: "Gallery", version: "2.1")
        request.setValue(agent.description, forHTTPHeaderField: "User-Agent")
        return request
    }
}

extension Versioned: PagedHandler where Wrapped: PagedHandler {
    typealias Item = Wrapped.Item
}

/// Removes photos without a description. A wrapping handler changes the value in `parseResponse(data:head:)`.
struct Described<Wrapped: APIHandler>: WrappingHandler where Wrapped.ResponseDataType == [Photo] {
    let wrapped: Wrapped

    func parseResponse(data: Data, head: ResponseHead) throws -> [Photo] {
        try wrapped.parseResponse(data: data, head: head).filter { $0.description != nil }
    }
}

/// The handler that is used depends on a setting, so its type is erased.
func galleryHandler(onlyDescribed: Bool) -> AnyAPIHandler<GalleryQuery, [Photo]> {
    let handler = Versioned(wrapped: GalleryAPI(environment: .production))
    return onlyDescribed ? AnyAPIHandler(Described(wrapped: handler)) : AnyAPIHandler(handler)
}
