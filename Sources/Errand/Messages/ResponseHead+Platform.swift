extension ResponseHead {
    /// Creates a value like ``init(_:from:)``. Returns `nil` if the response has no URL and `url` is `nil`.
    init?(_ response: HTTPURLResponse, for url: URL?) {
        guard let url = response.url ?? url else { return nil }
        self.init(response, from: url)
    }

    /// Creates a value from a platform response. It has lost the order of the headers and has combined duplicates, so
    /// the headers are sorted by name. `url` is used if the response has no URL.
    package init(_ response: HTTPURLResponse, from url: URL) {
        let all = response.allHeaderFields
        let fields = all.compactMap { name, value -> HeaderFields.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HeaderFields.Field(name, value)
        }
        let sorted = HeaderFields(fields.sorted { $0.name < $1.name })
        // The platform keeps two names that differ only in case. A response made from the headers would combine them.
        let names = Set(fields.lazy.map { $0.name.lowercased() })
        let saysTheSame = response.url != nil && names.count == all.count
        self.init(
            status: response.statusCode, headers: sorted, url: response.url ?? url,
            platformForm: saysTheSame ? response : nil)
    }
}
