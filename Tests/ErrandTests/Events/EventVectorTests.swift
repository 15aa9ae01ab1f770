import Errand
import Foundation
import TestSupport
import Testing

/// The event streams of the web platform tests.
@Suite(.timeLimit(.minutes(1)), .enabled(if: TestEnvironment.vectors != nil, "ERRAND_VECTORS is not set"))
struct EventVectorTests {
    struct Vectors: Decodable {
        let stream: [Stream]
        let http: [Response]

        static func load() throws -> Vectors {
            let file = try #require(TestEnvironment.vectors).appending(path: "sse/wpt-eventsource-vectors.json")
            return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
        }
    }

    struct Stream: Decodable {
        struct Event: Decodable {
            let type: String, data: String, lastEventId: String
        }
        struct End: Decodable {
            let lastEventId: String?, reconnectionTimeMs: Int?
        }
        let name: String
        let stream_base64: Data
        let expected: [Event]
        let after_end_of_stream: End?
    }

    struct Response: Decodable {
        let name: String, content_type: String?, status: Int?, expected: String
    }

    @Test func `all 26 streams have the published events, however they are split`() throws {
        let streams = try Vectors.load().stream
        #expect(streams.count == 26)
        for row in streams {
            let result = try ParsedStream.all(row.stream_base64)
            let events = row.expected.map { ServerSentEvent(type: $0.type, data: $0.data, id: $0.lastEventId) }
            #expect(result.events == events, "\(row.name)")
            if let id = row.after_end_of_stream?.lastEventId { #expect(result.lastEventID == id, "\(row.name)") }
            if let retry = row.after_end_of_stream?.reconnectionTimeMs {
                #expect(result.retry == .milliseconds(retry), "\(row.name)")
            }
        }
    }
}
