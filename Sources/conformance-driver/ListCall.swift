import Errand

/// A page of the driver's protocol: a JSON array, or an object that contains one, and `Link` headers.
struct ListCall: PagedHandler {
    func makeRequest(from fields: OrderedJSON) throws -> URLRequest { try FetchCall().makeRequest(from: fields) }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> [OrderedJSON] {
        let json = try OrderedJSON(parsing: String(decoding: data, as: UTF8.self))
        return json.elements ?? json.members?.compactMap(\.value.elements).first ?? []
    }
}
