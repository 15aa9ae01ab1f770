import Foundation
import TestSupport
import Testing

/// The driver's operation for multipart bodies.
@Suite(.timeLimit(.minutes(1))) struct MultipartOperationTests {
    private func line(_ id: Int, _ parts: [[String: Any]], _ more: [String: Any] = ["boundary": "B"]) -> [String: Any] {
        more.merging(["id": id, "op": "multipart", "parts": parts]) { $1 }
    }

    private func part(_ name: String, _ value: String, _ more: [String: Any] = [:]) -> [String: Any] {
        more.merging(["name": name, "valueBase64": Data(value.utf8).base64EncodedString()]) { $1 }
    }

    @Test func `the driver returns the content type and the body`() async throws {
        let disposition = "Content-Disposition: form-data; name="
        let results = try await ConformanceDriver.ask([
            line(1, [part("a\n\"", "b\nc"), part("f", "x", ["filename": "g\r", "contentType": NSNull()])]),
            line(2, [part("a\n", "b\nc", ["filename": NSNull()])], ["boundary": "B", "mode": "form"]),
            line(3, [part("f", "x", ["filename": "g", "contentType": "text/plain"])]),
            line(4, [["name": "b", "valueBase64": "/wA="]]),
            line(5, []), line(6, [], ["boundary": "a b"]),
        ])
        func body(_ id: Int) throws -> Data? {
            Data(base64Encoded: try #require(results[id]?["bodyBase64"] as? String))
        }
        let rows: [(id: Int, text: String)] = [
            (
                1,
                "--B\r\n\(disposition)\"a%0A%22\"\r\n\r\nb\nc\r\n--B\r\n\(disposition)\"f\"; filename=\"g%0D\"\r\n"
                    + "Content-Type: application/octet-stream\r\n\r\nx\r\n--B--\r\n"
            ),
            (2, "--B\r\n\(disposition)\"a%0D%0A\"\r\n\r\nb\r\nc\r\n--B--\r\n"),
            (3, "--B\r\n\(disposition)\"f\"; filename=\"g\"\r\nContent-Type: text/plain\r\n\r\nx\r\n--B--\r\n"),
            (5, "--B--\r\n"),
        ]
        for row in rows {
            #expect(try body(row.id) == Data(row.text.utf8))
            #expect(results[row.id]?["contentType"] as? String == "multipart/form-data; boundary=B")
        }
        #expect(try body(4)?.range(of: Data([0xFF, 0])) != nil)
        #expect(results[6]?["contentType"] as? String == "multipart/form-data; boundary=\"a b\"")
    }

    @Test func `invalid bodies are errors, and an unknown mode is unsupported`() async throws {
        let results = try await ConformanceDriver.ask([
            line(1, [part("a", "b")], ["boundary": "b\r\n"]), line(2, [part("a", "b", ["contentType": "a\r\nX: 1"])]),
            line(3, [["name": "a", "valueBase64": "!"]]), line(4, [part("a", "--B")]),
            line(5, [], ["mode": "other"]), line(6, [part("a", "b")], [:]),
        ])
        for id in 1...4 { #expect((results[id]?["error"] as? String)?.hasPrefix("encoding: ") == true) }
        #expect(results[5]?["unsupported"] as? Bool == true)
        let drawn = try #require(results[6]?["contentType"] as? String)
        #expect(drawn.hasPrefix("multipart/form-data; boundary=errand-"))
    }
}
