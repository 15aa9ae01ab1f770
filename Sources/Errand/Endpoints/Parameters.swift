/// The parameters of an ``Endpoint``: a dictionary or any `Encodable` value, in the query or in the body.
///
/// A dictionary literal is sent in the query of GET, HEAD and DELETE, and as a JSON body otherwise. The static
/// functions select one of them explicitly.
///
/// ```swift
/// Endpoint<Page>(path: "photos", parameters: ["page": 2])
/// Endpoint<Void>(method: .post, path: "login", parameters: .form(credentials))
/// ```
public struct Parameters: Sendable {
    private let encode: @Sendable (inout URLRequest) throws -> Void

    private init(encode: @escaping @Sendable (inout URLRequest) throws -> Void) {
        self.encode = encode
    }

    /// Sends a value in the query of GET, HEAD and DELETE, and as a JSON body otherwise.
    public init(_ value: some Encodable & Sendable) {
        self.init(query: .query(value), json: .json(value))
    }

    /// Sends a dictionary in the query of GET, HEAD and DELETE, and as a JSON body otherwise.
    public init(_ values: [String: any Sendable]) {
        self.init(query: .query(values), json: .json(values))
    }

    private init(query: Parameters, json: Parameters) {
        self.init { request in
            let inQuery: [String?] = ["GET", "HEAD", "DELETE", nil]
            try (inQuery.contains(request.httpMethod) ? query : json).apply(to: &request)
        }
    }

    /// Sends a value in the query.
    public static func query(_ value: some Encodable & Sendable, encoding: QueryEncoding = .standard) -> Parameters {
        Parameters { request in try request.setQuery(encoding.items(from: value)) }
    }

    /// Sends a value as a JSON body with `Content-Type: application/json`.
    public static func json(_ value: some Encodable & Sendable, encoder: JSONEncoder = .errand) -> Parameters {
        Parameters { request in try request.setJSON(value, encoder) }
    }

    /// Sends a value as a form body with `Content-Type: application/x-www-form-urlencoded`.
    public static func form(_ value: some Encodable & Sendable, encoding: QueryEncoding = .standard) -> Parameters {
        Parameters { request in try request.setForm(encoding.items(from: value)) }
    }

    /// Sends a dictionary in the query.
    public static func query(_ values: [String: any Sendable], encoding: QueryEncoding = .standard) -> Parameters {
        Parameters { request in try request.setQuery(encoding.items(from: values)) }
    }

    /// Sends a dictionary as a JSON body. `nil` is encoded as `null`.
    public static func json(_ values: [String: any Sendable], encoder: JSONEncoder = .errand) -> Parameters {
        Parameters { request in try request.setJSON(EncodableDictionary(values: values), encoder) }
    }

    /// Sends a dictionary as a form body. `nil` is omitted.
    public static func form(_ values: [String: any Sendable], encoding: QueryEncoding = .standard) -> Parameters {
        Parameters { request in try request.setForm(encoding.items(from: values)) }
    }

    func apply(to request: inout URLRequest) throws {
        try encode(&request)
    }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters from a dictionary literal. If a key is repeated, its last value is used.
    public init(dictionaryLiteral elements: (String, any Sendable)...) {
        self.init(Dictionary(elements, uniquingKeysWith: { _, later in later }))
    }
}
