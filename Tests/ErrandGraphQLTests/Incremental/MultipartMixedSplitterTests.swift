import Errand
import ErrandGraphQL
import Foundation
import TestSupport
import Testing

@Suite struct MultipartMixedSplitterTests {
    private func parts(of body: String, boundary: String = "-", size: Int = .max) throws -> [String] {
        var splitter = MultipartMixedSplitter(boundary: boundary, limit: .max)
        var rest = Data(body.utf8)[...]
        var parts: [String] = []
        while !rest.isEmpty {
            splitter.add(Data(rest.prefix(size)))
            rest = rest.dropFirst(min(size, rest.count))
            while let part = try splitter.next() { parts.append(String(decoding: part, as: UTF8.self)) }
        }
        return parts
    }

    @Test(arguments: [
        ("---\r\n\r\na\r\n-----", ["a\r"]), ("\r\n---\r\nA: b\r\n\r\na\r\n---\r\n\r\nb\r\n-----\r\n", ["a\r", "b\r"]),
        ("---\n\na\n---\nA: b\n\nb\n-----\n", ["a", "b"]),
        ("preamble\r\n--- \t\r\n\r\na\r\n-----epilogue\r\n---", ["a\r"]),
        ("---\r\n\r\n--\r\n\r\n-\r\n---", ["--\r\n\r\n-\r"]), ("---\r\n\r\n\r\n-----", ["\r"]), ("-----\r\n", []),
        ("-- -\n---\n\na", []),
    ])
    func `parts do not depend on the boundaries of chunks`(body: String, found: [String]) throws {
        for size in [1, 2, 3, 5, 7, .max] { #expect(try parts(of: body, size: size) == found, "chunks of \(size)") }
    }

    @Test func `a longer boundary starts with the delimiter of a shorter one`() throws {
        #expect(try parts(of: "--ab\r\n\r\na\r\n--ab--", boundary: "ab") == ["a\r"])
        #expect(throws: ServiceError.self) { try parts(of: "--abc\r\n\r\na\r\n--ab--", boundary: "ab") }
    }

    @Test(arguments: TestEnvironment.sample(["\n---\n\n", "\r\n--", "x", "\n", "\n---\n\nx"]))
    func `splitting takes time linear in the size`(unit: String) async throws {
        let growth = try await ProcessorTime.growth(ofRepeating: unit) { text in
            var splitter = MultipartMixedSplitter(boundary: "-", limit: .max)
            let body = Array("---\n\n\(text)".utf8)
            for start in stride(from: 0, to: body.count, by: 16) {
                splitter.add(Data(body[start..<min(start + 16, body.count)]))
                while try splitter.next() != nil {}
            }
        }
        #expect(growth < 64)
    }
}
