import ErrandLoopback
import Foundation
import Testing

@Suite struct LoopbackRequestTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let target: String
        let path: String
        let decoded: String
        let query: String?
        let items: [String]
        var testDescription: String { target }
    }

    static let rows: [Row] = [
        .init(target: "/", path: "/", decoded: "/", query: nil, items: []),
        .init(target: "/a%20b%2Fc", path: "/a%20b%2Fc", decoded: "/a b/c", query: nil, items: []),
        .init(target: "/%C3%A9?", path: "/%C3%A9", decoded: "/é", query: "", items: []),
        .init(target: "/%zz%4?x=%", path: "/%zz%4", decoded: "/%zz%4", query: "x=%", items: ["x=%"]),
        .init(
            target: "/+?a=1+2&a=%2B&b&&c=", path: "/+", decoded: "/+", query: "a=1+2&a=%2B&b&&c=",
            items: ["a=1 2", "a=+", "b", "c="]),
        .init(
            target: "/a?u=http://b/c?d=e", path: "/a", decoded: "/a", query: "u=http://b/c?d=e",
            items: ["u=http://b/c?d=e"]),
        .init(target: "http://h:1/a?b", path: "/a", decoded: "/a", query: "b", items: ["b"]),
        .init(target: "http://h?b", path: "/", decoded: "/", query: "b", items: ["b"]),
    ]

    @Test(arguments: rows)
    func `a target is parsed and keeps its original form`(row: Row) throws {
        let request = try request("GET \(row.target) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(request.target == row.target)
        #expect(request.path == row.path)
        #expect(request.decodedPath == row.decoded)
        #expect(request.query == row.query)
        #expect(request.queryItems.map { $0.name + ($0.value.map { "=\($0)" } ?? "") } == row.items)
    }

    @Test func `header lookup ignores case and keeps order and duplicates`() throws {
        let request = try request("GET /?secret HTTP/1.1\r\nHost: a\r\nAccept: x\r\nB: 1\r\naccept: y\r\n\r\n")
        #expect(request["ACCEPT"] == "x")
        #expect(request.all("accept") == ["x", "y"])
        #expect(request["Accep"] == nil)
        #expect(request.headers.map(\.name) == ["Host", "Accept", "B", "accept"])
        #expect(request.headers["b"] == "1" && request.headers.all("Accept") == ["x", "y"])
        #expect(request.description == "GET / (request 2 of connection 1)")
    }

    private func request(_ text: String) throws -> LoopbackRequest {
        var parser = RequestParser(headerLimit: 1_500, bodyLimit: 1_000, keepsBodies: true)
        Array(text.utf8).withUnsafeBytes { parser.append($0) }
        let event = parser.next()
        let message: RequestMessage? = if case .request(let message) = event { message } else { nil }
        return LoopbackRequest(try #require(message), connectionNumber: 1, requestNumber: 2)
    }
}
