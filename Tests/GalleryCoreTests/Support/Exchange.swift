import Errand
import TestSupport
import Testing

/// A recorded request with its response.
struct Exchange: Decodable, Sendable {
    let method: String
    let target: String
    let status: Int
    let headers: [[String]]
    let body: String

    /// The target's path without its query.
    var path: String { String(target.prefix { $0 != "?" }) }

    /// Returns the values of a response header.
    func values(of name: String) -> [String] {
        headers.filter { $0.first?.lowercased() == name.lowercased() }.compactMap(\.last)
    }

    /// Replaces the recorded placeholders with the URLs of the servers, which end with a slash.
    static func filled(_ text: String, api: String, web: String = "https://gallery.example/") -> String {
        text.replacingOccurrences(of: "<API_URI>", with: api).replacingOccurrences(of: "<OAUTH_URI>", with: web)
    }

    /// Whether the body has status 200 and contains photos: a photo, a list, a search, random photos, or the photos of
    /// users and collections.
    var holdsPhotos: Bool {
        method == "GET" && status == 200
            && (path == "/search/photos" || path.hasSuffix("/likes") || path.hasSuffix("/photos")
                || (path.hasPrefix("/photos/") && !path.hasSuffix("/download")))
    }
}

extension Exchange {
    /// Whether the environment variable for the folder of the recorded data is set.
    static var areThere: Bool { TestEnvironment.vectors != nil }

    /// Returns all recorded exchanges in order.
    static func all() throws -> [Exchange] {
        let folder = try #require(TestEnvironment.vectors)
        return try JSONDecoder().decode(
            [Exchange].self, from: Data(contentsOf: folder.appending(path: "unsplash/exchanges.json")))
    }
}
