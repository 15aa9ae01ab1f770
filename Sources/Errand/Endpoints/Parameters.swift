/// What an ``Endpoint`` sends: a dictionary or any `Encodable`, in the query or in the body.
///
/// A dictionary literal goes into the query of GET, HEAD and DELETE, and into a JSON body otherwise; the static
/// functions choose the place.
///
/// ```swift
/// Endpoint<Page>(path: "photos", parameters: ["page": 2])
/// Endpoint<Void>(method: .post, path: "login", parameters: .form(credentials))
/// ```
public struct Parameters: Sendable {
    private let place: @Sendable (inout URLRequest) throws -> Void

    private init(place: @escaping @Sendable (inout URLRequest) throws -> Void) {
        self.place = place
    }

    /// In the query of GET, HEAD and DELETE, else in the body as JSON.
    public init(_ value: some Encodable & Sendable) {
        self.init(query: .query(value), json: .json(value))
    }

    /// A dictionary in the query of GET, HEAD and DELETE, else in the body as JSON.
    public init(_ values: [String: any Sendable]) {
        self.init(query: .query(values), json: .json(values))
    }

    private init(query: Parameters, json: Parameters) {
        self.init { request in
            let inQuery: [String?] = ["GET", "HEAD", "DELETE", nil]
            try (inQuery.contains(request.httpMethod) ? query : json).apply(to: &request)
        }
    }

    /// In the query, by an encoding of your choice.
    public static func query(_ value: some Encodable & Sendable, encoding: QueryEncoding = .standard) -> Parameters {
        Parameters { request in try request.setQuery(encoding.items(from: value)) }
    }

    /// In the body as JSON, `Content-Type: application/json`.
    public static func json(_ value: some Encodable & Sendable, encoder: JSONEncoder = .errand) -> Parameters {
        Parameters { request in try request.setJSON(value, encoder) }
    }

    /// In the body as a form, `Content-Type: application/x-www-form-urlencoded`.
    public static func form(_ value: some Encodable & Sendable, encoding: QueryEncoding = .standard) -> Parameters {
        Parameters { request in try request.setForm(encoding.items(from: value)) }
    }

    /// A dictionary in the query.
    public static func query(_ values: [String: any Sendable], encoding: QueryEncoding = .standard) -> Parameters {
        Parameters { request in try request.setQuery(encoding.items(from: values)) }
    }

    /// A dictionary in the body as JSON; nil becomes null.
    public static func json(_ values: [String: any Sendable], encoder: JSONEncoder = .errand) -> Parameters {
        Parameters { request in try request.setJSON(EncodableDictionary(values: values), encoder) }
    }

    /// A dictionary in the body as a form; nil is left out.
    public static func form(_ values: [String: any Sendable], encoding: QueryEncoding = .standard) -> Parameters {
        Parameters { request in try request.setForm(encoding.items(from: values)) }
    }

    func apply(to request: inout URLRequest) throws {
        try place(&request)
    }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Takes a literal; of two equal keys the later one counts.
    public init(dictionaryLiteral elements: (String, any Sendable)...) {
        self.init(Dictionary(elements, uniquingKeysWith: { _, later in later }))
    }
}
