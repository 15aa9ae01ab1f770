/// One page of a search's answer.
public struct SearchPage<Element: Sendable>: Sendable {
    /// How many hits there are on all pages.
    public var total: Int
    /// How many pages there are.
    public var totalPages: Int
    /// The hits on this page.
    public var results: [Element]
}

/// One page of photos that a search found.
public typealias GallerySearchResult = SearchPage<GalleryModel>

// A generic type with conditional conformances has no synthesized keys.
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
