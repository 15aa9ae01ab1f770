import Errand

/// The response body of a request. Each server of a measurement has these files in one folder.
enum Payload: String, CaseIterable {
    case listing = "1k"
    case medium = "100k"
    case large = "10m"

    /// The file name.
    var file: String {
        switch self {
        case .listing: "1k.json"
        case .medium: "100k.bin"
        case .large: "10m.bin"
        }
    }

    /// The length of the body in bytes.
    var bytes: Int {
        switch self {
        case .listing: Listing.json.utf8.count
        case .medium: 100_000
        case .large: 10_000_000
        }
    }

    /// The processing of a received body, as printed in the names of the lines.
    var use: String { self == .listing ? "decode" : "Data" }
}

/// A payload and its URL.
struct Target: Sendable {
    let payload: Payload
    let url: URL

    init(_ payload: Payload, in folder: URL) {
        self.payload = payload
        url = folder.appending(path: payload.file)
    }

    /// The headers that every subject sends.
    static let headers = ["Accept": "application/json", "User-Agent": "errand-bench/1"]

    var request: URLRequest {
        var request = URLRequest(url: url)
        for (name, value) in Self.headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// Processes a body like a program without a loader: decodes the listing, and keeps other bytes.
    func read(_ body: Data, status: Int) throws {
        guard status == 200 else { throw Failure("\(url): expected status 200, found \(status)") }
        let count = payload == .listing ? try JSONDecoder().decode([Listing.Photo].self, from: body).count : body.count
        try check(count)
    }

    /// Throws an error if a response is incomplete. The count is that of the objects or bytes.
    func check(_ count: Int) throws {
        let expected = payload == .listing ? Listing.count : payload.bytes
        guard count == expected else { throw Failure("\(url): expected \(expected) objects or bytes, found \(count)") }
    }
}
