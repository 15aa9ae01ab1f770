import Errand
import TestSupport
import Testing

/// One recorded request with its answer.
struct Exchange: Decodable, Sendable {
    let method: String
    let target: String
    let status: Int
    let headers: [[String]]
    let body: String

    /// The target's path without its query.
    var path: String { String(target.prefix { $0 != "?" }) }

    /// The values of a header field of the answer.
    func values(of name: String) -> [String] {
        headers.filter { $0.first?.lowercased() == name.lowercased() }.compactMap(\.last)
    }

    /// The recorded placeholders stand for the server's address, with and without the slash that ends it.
    static func filled(_ text: String, api: String, web: String = "https://gallery.example/") -> String {
        text.replacingOccurrences(of: "<API_URI>", with: api).replacingOccurrences(of: "<OAUTH_URI>", with: web)
    }

    /// The 200 bodies that hold photos: photo, list, search, random, and the photos of users and collections.
    var holdsPhotos: Bool {
        method == "GET" && status == 200
            && (path == "/search/photos" || path.hasSuffix("/likes") || path.hasSuffix("/photos")
                || (path.hasPrefix("/photos/") && !path.hasSuffix("/download")))
    }
}

extension Exchange {
    /// Whether the environment names the folder of the recorded data.
    static var areThere: Bool { TestEnvironment.vectors != nil }

    /// All recorded exchanges, in their order.
    static func all() throws -> [Exchange] {
        let folder = try #require(TestEnvironment.vectors)
        return try JSONDecoder().decode(
            [Exchange].self, from: Data(contentsOf: folder.appending(path: "unsplash/exchanges.json")))
    }
}
