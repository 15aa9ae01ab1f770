import Errand
import ErrandTesting
import Foundation
import TestSupport
import Testing

/// Replays a HAR file that a browser exported. `Tests/archives.py export` writes one with Chromium.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: ProcessInfo.processInfo.environment["ERRAND_BROWSER_HAR"] != nil, "ERRAND_BROWSER_HAR is not set"))
struct BrowserArchiveTests {
    private static let canaries: [String] = ["canary-query", "canary-header", "canary-form", "canary-cookie"]

    private let text: String
    private let archive: HTTPArchive

    init() throws {
        let path = try #require(ProcessInfo.processInfo.environment["ERRAND_BROWSER_HAR"])
        text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        archive = try HTTPArchive(data: Data(text.utf8))
    }

    private func request(_ entry: HTTPArchive.Entry) throws -> APIRequest {
        var head = URLRequest(url: try #require(URL(string: entry.request.url)))
        head.httpMethod = entry.request.method
        for field in entry.request.headers where ["Content-Type", "X-Api-Key"].contains(field.name) {
            head.setValue(field.value, forHTTPHeaderField: field.name)
        }
        return APIRequest(head: head, body: entry.request.body.map { .data($0.bytes) } ?? .none)
    }

    @Test func `every request of a browser is replayed`() async throws {
        #expect(Self.canaries.allSatisfy(text.contains))
        #expect(archive.entries.count >= 6)
        for recording in [archive, archive.redacted()] {
            let replay = ReplaySession(recording)
            for (entry, recorded) in zip(archive.entries, recording.entries) {
                let response = try await replay.send(request(entry))
                let expected = try #require(recorded.response)
                #expect(response.head.status == expected.status)
                #expect(try await response.body.collect() == expected.body.bytes)
            }
            try replay.verify()
        }
        let picture = try #require(archive.entries.first { $0.request.url.hasSuffix("/picture") })
        #expect(picture.response?.body.bytes == Data((0...255).map { UInt8($0) }))
    }

    @Test func `a redacted export has no secrets`() {
        let redacted = String(decoding: archive.redacted().data, as: UTF8.self)
        #expect(Self.canaries.filter(redacted.contains) == [])
    }
}
