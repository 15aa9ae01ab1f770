import Errand
import ErrandTesting
import Foundation
import TestSupport

/// An API call that uploads a film, and returns the body of the last response.
struct FilmUpload: APIHandler {
    var url: URL
    var method = "POST"
    var headers: [String: String] = ["Content-Type": "video/mp4"]
    var metadata: Data?
    var settings = RequestOptions()

    init(_ url: String = "https://api.test/films") throws {
        self.url = try ErrorScene.url(url)
    }

    init(at url: URL) { self.url = url }

    func makeRequest(from film: RequestBody) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = metadata
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    func body(for film: RequestBody) -> RequestBody? { film }

    func options(for film: RequestBody) -> RequestOptions { settings }

    func parseResponse(data: Data, head: ResponseHead) -> String {
        "\(head.status) \(head.url.path()) \(String(decoding: data, as: UTF8.self))"
    }
}

extension ScratchFolder {
    /// The state file of an upload.
    var state: URL { url.appending(path: "film.upload") }

    /// Creates a film of a size, with bytes that depend on their offset.
    func film(_ size: Int, seed: Int = 0, name: String = "film.mp4") throws -> (file: URL, bytes: Data) {
        let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: ($0 + seed) &* 31 &+ $0 >> 8) })
        return (try file(bytes, name: name), bytes)
    }
}

extension ResumableUploadProtocol {
    static let all: [ResumableUploadProtocol] = [.tus, .httpDraft, .googleSession]
}
