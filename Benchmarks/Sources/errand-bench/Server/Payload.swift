import Errand

/// What a request fetches. Each server that is measured has these files in one folder.
enum Payload: String, CaseIterable {
    case listing = "1k"
    case medium = "100k"
    case large = "10m"

    /// The file's name.
    var file: String {
        switch self {
        case .listing: "1k.json"
        case .medium: "100k.bin"
        case .large: "10m.bin"
        }
    }

    /// How many bytes a body has that is not decoded.
    var bytes: Int {
        switch self {
        case .listing: Listing.json.utf8.count
        case .medium: 100_000
        case .large: 10_000_000
        }
    }

    /// What is done with the body besides receiving it.
    var use: String { self == .listing ? "decode" : "Data" }
}

/// A payload and where it is.
struct Target: Sendable {
    let payload: Payload
    let url: URL

    init(_ payload: Payload, in folder: URL) {
        self.payload = payload
        url = folder.appending(path: payload.file)
    }

    /// The fields that every subject sends.
    static let fields = ["Accept": "application/json", "User-Agent": "errand-bench/1"]

    var request: URLRequest {
        var request = URLRequest(url: url)
        for (name, value) in Self.fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// Reads a body as a program without a loader does: decodes the listing, and takes other bytes as they are.
    func read(_ body: Data, status: Int) throws {
        guard status == 200 else { throw Failure("\(url) was answered with \(status)") }
        let count = payload == .listing ? try JSONDecoder().decode([Listing.Photo].self, from: body).count : body.count
        try check(count)
    }

    /// Refuses an answer that is not whole; the count is that of the objects or bytes.
    func check(_ count: Int) throws {
        let expected = payload == .listing ? Listing.count : payload.bytes
        guard count == expected else { throw Failure("\(url) gave \(count) of \(expected)") }
    }
}
