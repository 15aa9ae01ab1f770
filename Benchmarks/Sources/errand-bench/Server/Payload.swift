import Errand
import ErrandJSON

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
}

/// The requests for a payload: their URLs, their connections, and the processing of their responses.
struct Target: Sendable {
    let payload: Payload
    let url: URL
    /// The URLs of the hosts. The requests of a lane go to one of them.
    let urls: [URL]
    /// Whether the body is decoded. Otherwise its bytes are kept.
    let decodes: Bool
    /// Whether each request opens a connection.
    let isFresh: Bool
    /// A PEM file of the authorities that sign the certificates of servers.
    let authorities: URL?

    init(_ payload: Payload, in folder: URL, _ options: TargetOptions = TargetOptions()) {
        self.payload = payload
        url = folder.appending(path: payload.file)
        urls = options.hosts == 1 ? [url] : (0..<options.hosts).compactMap { [url] in url.onLoopback($0) }
        decodes = payload == .listing && !options.keepsBytes
        isFresh = options.isFresh
        authorities = options.authorities
    }

    /// A target with responses of any body.
    init(_ url: URL) {
        (payload, self.url, urls, decodes, isFresh, authorities) = (.medium, url, [url], false, false, nil)
    }

    /// The processing of a received body, as printed in the names of the lines.
    var use: String { decodes ? "decode" : "Data" }

    /// The headers that every subject sends.
    static let headers = ["Accept": "application/json", "User-Agent": "errand-bench/1"]

    /// The headers of the requests to this target.
    var headers: [String: String] {
        isFresh ? Self.headers.merging(["Connection": "close"]) { first, _ in first } : Self.headers
    }

    /// The request of a lane.
    func request(_ lane: Int) -> URLRequest {
        var request = URLRequest(url: urls[lane % urls.count])
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// Processes a body like a program without a loader: decodes the listing, and keeps other bytes.
    func read(_ body: Data, status: Int) throws {
        try read(body, status: status) { try JSONDecoder().decode([Listing.Photo].self, from: body) }
    }

    /// Processes a body like ``read(_:status:)``, but with the decoder of loaders.
    func readFast(_ body: Data, status: Int) throws {
        try read(body, status: status) { try FastJSONDecoder().decode([Listing.Photo].self, from: body) }
    }

    private func read(_ body: Data, status: Int, _ decode: () throws -> [Listing.Photo]) throws {
        guard status == 200 else { throw Failure("\(url): expected status 200, found \(status)") }
        try check(decodes ? decode().count : body.count)
    }

    /// Throws an error if a response is incomplete. The count is that of the objects or bytes.
    func check(_ count: Int) throws {
        let expected = decodes ? Listing.count : payload.bytes
        guard count == expected else { throw Failure("\(url): expected \(expected) objects or bytes, found \(count)") }
    }
}

/// The options of a target.
struct TargetOptions {
    /// The number of hosts, which are addresses of the loopback interface.
    var hosts = 1
    var keepsBytes = false
    var isFresh = false
    var authorities: URL?
}

extension URL {
    /// This URL with another address of the loopback interface, 127.0.0.1 and the following ones.
    fileprivate func onLoopback(_ index: Int) -> URL? {
        var components = URLComponents(url: self, resolvingAgainstBaseURL: false)
        components?.host = "127.0.\(index / 250).\(index % 250 + 1)"
        return components?.url
    }
}
