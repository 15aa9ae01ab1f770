extension ResponseHead {
    /// As ``init(_:from:)``; nil where neither has an address.
    init?(_ response: HTTPURLResponse, for url: URL?) {
        guard let url = response.url ?? url else { return nil }
        self.init(response, from: url)
    }

    /// Reads the platform's head, which has lost the fields' order and folded duplicates: they are sorted by name. The
    /// address is for a head that has none of its own.
    package init(_ response: HTTPURLResponse, from url: URL) {
        let all = response.allHeaderFields
        let fields = all.compactMap { name, value -> HeaderFields.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HeaderFields.Field(name, value)
        }
        let sorted = HeaderFields(fields.sorted { $0.name < $1.name })
        // Where two names differ in case alone the platform kept both, and a made head folds them.
        let names = Set(fields.lazy.map { $0.name.lowercased() })
        let saysTheSame = response.url != nil && names.count == all.count
        self.init(
            status: response.statusCode, fields: sorted, url: response.url ?? url,
            platformForm: saysTheSame ? response : nil)
    }
}
