import Errand
import ErrandLoopback
import ErrandSupport
import Foundation
import TestSupport
import Testing

/// A resource of a server that supports ranges (RFC 9110, section 14).
struct Film: Sendable {
    struct Reply: Sendable {
        var status: Int
        var headers: HeaderFields
        var body: Data
        /// The error after the body.
        var error: (any Error)?

        mutating func breakBody(after count: Int) {
            body = Data(body.prefix(count))
            error = URLError(.networkConnectionLost)
        }
    }

    var content: Data
    var tag = #""a""#

    /// Creates content that differs at each offset and for each seed.
    init(_ size: Int, seed: UInt64 = 1) {
        var random = SplitMix(state: seed)
        let words = (0..<(size + 7) / 8).map { _ in random.next() }
        content = Data(words.withUnsafeBytes { Data($0) }.prefix(size))
        tag = "\"\(seed)\""
    }

    var digest: FileDigest {
        get throws { try .sha256(SHA256.hash(content)) }
    }

    func reply(range: String?, ifRange: String?) -> Reply {
        var headers: HeaderFields = ["ETag": tag]
        guard let range, ifRange ?? tag == tag else {
            headers["Content-Length"] = "\(content.count)"
            return Reply(status: 200, headers: headers, body: content)
        }
        let ends = range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        let first = Int(ends[0]) ?? 0
        guard first < content.count else {
            headers["Content-Range"] = "bytes */\(content.count)"
            return Reply(status: 416, headers: headers, body: Data())
        }
        let last = min(Int(ends[1]) ?? .max, content.count - 1)
        headers["Content-Range"] = "bytes \(first)-\(last)/\(content.count)"
        headers["Content-Length"] = "\(last - first + 1)"
        return Reply(status: 206, headers: headers, body: Data(content[first...last]))
    }
}

/// A session that serves a film from memory, and can be made to misbehave.
final class FilmSession: APISession {
    typealias Change = @Sendable (inout Film.Reply, Int) throws -> Void

    private let film: Film
    private let chunk: Int
    private let change: Change
    private let observe: @Sendable () -> Void
    private let requests = Locked<[APIRequest]>([])

    /// - Parameters:
    ///   - film: The resource.
    ///   - chunk: The number of bytes of a chunk.
    ///   - change: Changes a reply. The second argument is the number of the request, from 0.
    ///   - observe: Called before each chunk, and before the end of each body.
    init(
        _ film: Film, chunk: Int = 10, change: @escaping Change = { _, _ in },
        observe: @escaping @Sendable () -> Void = {}
    ) {
        (self.film, self.chunk, self.observe, self.change) = (film, chunk, observe, change)
    }

    var recorded: [APIRequest] { requests.withLock { $0 } }
    /// The `Range` header of each request, or an empty text.
    var ranges: [String] { recorded.map { $0.headers["Range"] ?? "" } }

    func send(_ request: APIRequest) async throws -> APIResponse {
        try request.checkSendable()
        try Task.checkCancellation()
        let index = requests.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        var reply = film.reply(range: request.headers["Range"], ifRange: request.headers["If-Range"])
        try change(&reply, index)
        let body = reply.body
        let chunks = stride(from: 0, to: body.count, by: chunk).map { Data(body.dropFirst($0).prefix(chunk)) }
        return APIResponse(
            head: ResponseHead(status: reply.status, headers: reply.headers, url: try #require(request.url)),
            body: ResponseBody(stream: AsyncParts(chunks, then: reply.error, observe: observe)))
    }
}

struct FilmAPI: APIHandler {
    var url = "https://films.example/films/1.mov"
    var method = "GET"
    var headers: [String: String] = [:]
    /// Called each time a request is made.
    var made: @Sendable () -> Void = {}
    var timeout: Duration?

    func makeRequest(from input: Void) throws -> URLRequest {
        made()
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    func options(for input: Void) -> RequestOptions {
        var options = RequestOptions()
        options.totalTimeout = timeout
        return options
    }

    func parseResponse(data: Data, head: ResponseHead) throws -> Data {
        throw ServiceError(.decoding, "parseResponse was called")
    }
}

/// Creates a loader with any session.
func filmLoader(_ api: FilmAPI, _ session: any APISession, _ time: some TimeSource) -> APILoader<FilmAPI> {
    func open(_ session: some APISession) -> APILoader<FilmAPI> { APILoader(api, session: session, time: time) }
    return open(session)
}

extension ScratchFolder {
    var film: URL { url.appending(path: "film.mov") }

    /// Creates a folder with copies of the files.
    ///
    /// The record of a download is copied before its partial file. Otherwise, a task that writes meanwhile could make
    /// the copied record claim bytes that the copied file does not have.
    func copy() throws -> ScratchFolder {
        let copy = try ScratchFolder()
        var numbers: [Int: URL] = [:]
        for name in try names().sorted(by: >) {
            let (from, to) = (url.appending(path: name), copy.url.appending(path: name))
            let number = try FileManager.default.attributesOfItem(atPath: from.path)[.systemFileNumber] as? Int ?? 0
            if let linked = numbers[number] {
                try FileManager.default.linkItem(at: linked, to: to)
            } else {
                try FileManager.default.copyItem(at: from, to: to)
            }
            numbers[number] = to
        }
        return copy
    }
}
