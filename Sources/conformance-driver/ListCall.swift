import Errand

/// A page of a list as the protocol describes it: a JSON array, or an object with one, and `Link` fields.
struct ListCall: PagedHandler {
    func makeRequest(from fields: OrderedJSON) throws -> URLRequest { try FetchCall().makeRequest(from: fields) }

    func parseResponse(data: Data, response: HTTPURLResponse) throws -> [OrderedJSON] {
        let json = try OrderedJSON(parsing: String(decoding: data, as: UTF8.self))
        return json.elements ?? json.members?.compactMap(\.value.elements).first ?? []
    }
}
