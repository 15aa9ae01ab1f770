import Errand
import Foundation
import TestSupport
import Testing

/// The form submissions that browsers agree on.
@Suite(.timeLimit(.minutes(1)), .enabled(if: TestEnvironment.vectors != nil, "ERRAND_VECTORS is not set"))
struct MultipartVectorTests {
    private struct Vectors: Decodable {
        let cases: [Case]
    }

    private struct Case: Decodable {
        struct Entry: Decodable {
            let name: String, value: String, filename: String?
        }
        let description: String
        let name: String, value: String, filename: String?
        let expected: Entry
    }

    @Test func `all 28 form submissions have the published bytes`() async throws {
        let file = try #require(TestEnvironment.vectors).appending(path: "multipart/multipart-formdata.json")
        let cases = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file)).cases
        #expect(cases.count == 28)
        for row in cases {
            let part: MultipartBody.Part =
                row.filename.map {
                    .data(Data(row.value.utf8), name: row.name, fileName: $0, contentType: "text/plain")
                } ?? .field(row.value, name: row.name)
            let body = RequestBody.multipart(MultipartBody([part], mode: .form, boundary: "B"))
            let file = row.expected.filename.map { "; filename=\"\($0)\"\r\nContent-Type: text/plain" } ?? ""
            let text =
                "--B\r\nContent-Disposition: form-data; name=\"\(row.expected.name)\"\(file)\r\n\r\n"
                + "\(row.expected.value)\r\n--B--\r\n"
            #expect(try await body.bytes() == Data(text.utf8), "\(row.description)")
            let plain = RequestBody.multipart(MultipartBody([part], boundary: "B"))
            let hasLineBreak = (row.name + (row.filename == nil ? row.value : "")).utf8.contains {
                $0 == 0x0A || $0 == 0x0D
            }
            #expect(hasLineBreak || plain.data == body.data, "\(row.description)")
        }
    }
}
