import ErrandJSON
import Foundation
import Testing

@Suite struct FastJSONDecoderTests {
    struct Photo: Decodable, Equatable {
        let id: String
        let width: Int
        var taken: Date?
    }

    @Test func `the strategies of the decoder apply`() throws {
        let decoder = JSONDecoder()
        #expect(
            try FastJSONDecoder(decoder).decode([Photo].self, from: Data(#"[{"id":"a","width":640,"taken":0}]"#.utf8))
                == [Photo(id: "a", width: 640, taken: Date(timeIntervalSinceReferenceDate: 0))])
        decoder.dateDecodingStrategy = .secondsSince1970
        #expect(
            try FastJSONDecoder(decoder).decode(Photo.self, from: Data(#"{"id":"a","width":640,"taken":0}"#.utf8))
                == Photo(id: "a", width: 640, taken: Date(timeIntervalSince1970: 0)))
    }

    static let explanations: [(text: String, explanation: String)] = [
        (#"{"id":"a","width":"x"}"#, "expected an Int at width, found a string (byte 18)"),
        (#"{"id":"a"}"#, "width is missing (object at byte 0)"),
        ("{\n \"id\": null}", "expected a String at id, found null (line 2, column 8)"),
        (#"{"id":"#, "the body is not valid JSON (byte 6)"),
        (
            #"{"id":"a","width":99999999999999999999}"#,
            "expected an Int at width, found a number that does not fit (byte 18)"
        ),
    ]

    @Test(arguments: explanations) func `the explanation of an error has no values`(text: String, explanation: String)
        throws
    {
        let data = Data(text.utf8)
        let error = try #require(
            #expect(throws: DecodingError.self) { try FastJSONDecoder().decode(Photo.self, from: data) })
        #expect(FastJSONDecoder().explanation(of: error, decoding: Photo.self, from: data) == explanation)
    }

    @Test func `an interruption ends decoding with its error`() {
        struct Ended: Error, Equatable {}
        let text = Data("[\(String(repeating: "1,", count: 100_000))1]".utf8)
        FastJSONDecoder.$interruption.withValue({ throw Ended() }) {
            #expect(throws: Ended()) { try FastJSONDecoder().decode([Int].self, from: text) }
        }
        FastJSONDecoder.$interruption.withValue({}) {
            #expect((try? FastJSONDecoder().decode([Int].self, from: text))?.count == 100_001)
        }
    }
}
