import Errand
import ErrandSupport

/// A request of GraphQL over HTTP in the forms that automatic persisted queries require.
///
/// It is parsed from the request, so that the code that creates the request does not depend on the interceptor. The
/// initializer returns `nil` for other requests.
struct PersistedQuery {
    /// The request with the hash instead of the document.
    let hashed: APIRequest
    /// The request with hash and document, so that the service can store the document.
    let complete: APIRequest

    init?(_ request: APIRequest) {
        guard let accept = request.headers["Accept"], accept.contains(GraphQLMedia.response) else { return nil }
        switch request.method {
        case .post: self.init(post: request)
        case .get: self.init(get: request)
        default: return nil
        }
    }

    private init?(post request: APIRequest) {
        guard case .data(let body) = request.body, let members = RawJSON.members(of: body) else { return nil }
        let parts = Dictionary(members, uniquingKeysWith: { first, _ in first })
        guard let query = parts["query"].flatMap({ try? JSONDecoder().decode(String.self, from: $0) }) else {
            return nil
        }
        guard let extensions = Self.extensions(parts["extensions"], of: query) else { return nil }
        let others = members.filter { $0.name != "extensions" } + [("extensions", extensions)]
        guard let complete = try? RawJSON.object(others) else { return nil }
        guard let hashed = try? RawJSON.object(others.filter { $0.name != "query" }) else { return nil }
        self.hashed = request.with(body: hashed)
        self.complete = request.with(body: complete)
    }

    private init?(get request: APIRequest) {
        guard let url = request.url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return nil
        }
        let items = parts.percentEncodedQueryItems ?? []
        guard let query = items.first(where: { $0.name == "query" })?.formValue else { return nil }
        let own = items.first { $0.name == "extensions" }?.formValue
        guard let extensions = Self.extensions(own.map { Data($0.utf8) }, of: query) else { return nil }
        let text = PercentEncoding.query(String(decoding: extensions, as: UTF8.self))
        let others = items.filter { $0.name != "extensions" } + [URLQueryItem(name: "extensions", value: text)]
        var (hashed, complete) = (request, request)
        parts.percentEncodedQueryItems = others
        complete.url = parts.url
        parts.percentEncodedQueryItems = others.filter { $0.name != "query" }
        hashed.url = parts.url
        self.hashed = hashed
        self.complete = complete
    }

    /// Returns the extensions with the hash added. Returns `nil` if they are malformed or already contain a hash.
    private static func extensions(_ own: Data?, of query: String) -> Data? {
        guard let members = own.map(RawJSON.members) ?? [] else { return nil }
        guard !members.contains(where: { $0.name == "persistedQuery" }) else { return nil }
        let hash = SHA256.hash(query.utf8).hexadecimal
        let value = Data(#"{"sha256Hash":"\#(hash)","version":1}"#.utf8)
        return try? RawJSON.object(members + [("persistedQuery", value)])
    }
}

extension APIRequest {
    fileprivate func with(body data: Data) -> APIRequest {
        var request = self
        request.body = .data(data)
        return request
    }
}

extension URLQueryItem {
    /// The value, decoded as `application/x-www-form-urlencoded`.
    fileprivate var formValue: String? { value.map { PercentEncoding.formText($0) } }
}
