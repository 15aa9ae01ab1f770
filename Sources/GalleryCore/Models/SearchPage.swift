/// A page of search results.
public struct SearchPage<Element: Sendable>: Sendable {
    /// The number of results on all pages.
    public var total: Int
    /// The number of pages.
    public var totalPages: Int
    /// The results on this page.
    public var results: [Element]
}

/// A page of photos that match a search.
public typealias GallerySearchResult = SearchPage<GalleryModel>

// Swift does not synthesize coding keys for a generic type with conditional conformances.
private enum SearchPageKeys: String, CodingKey {
    case total, results
    case totalPages = "total_pages"
}

extension SearchPage: Equatable where Element: Equatable {}
extension SearchPage: Hashable where Element: Hashable {}

extension SearchPage: Decodable where Element: Decodable {
    /// Decodes the three members.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: SearchPageKeys.self)
        total = try members.decode(Int.self, forKey: .total)
        totalPages = try members.decode(Int.self, forKey: .totalPages)
        results = try members.decode([Element].self, forKey: .results)
    }
}

extension SearchPage: Encodable where Element: Encodable {
    /// Encodes the three members.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: SearchPageKeys.self)
        try members.encode(total, forKey: .total)
        try members.encode(totalPages, forKey: .totalPages)
        try members.encode(results, forKey: .results)
    }
}
