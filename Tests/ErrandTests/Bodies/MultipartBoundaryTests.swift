import Errand
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct MultipartBoundaryTests {
    /// Returns the same numbers in a circle.
    private final class Circle: RandomSource {
        private let numbers: [UInt64]
        private let position = Locked(0)

        init(_ numbers: [UInt64]) { self.numbers = numbers }

        var count: Int { position.withLock { $0 } }

        func next() -> UInt64 {
            position.withLock { position in
                defer { position += 1 }
                return numbers[position / 16 % numbers.count]
            }
        }
    }

    private func request(
        _ parts: [MultipartBody.Part], from random: some RandomSource = .system,
        _ change: (inout URLRequest) -> Void = { _ in }
    ) throws -> APIRequest {
        var head = URLRequest(url: try #require(URL(string: "http://api.test/")))
        head.httpMethod = "POST"
        change(&head)
        var options = RequestOptions()
        options.random = random
        return APIRequest(head: head, body: .multipart(MultipartBody(parts)), options: options)
    }

    private func boundary(_ request: APIRequest) throws -> String {
        guard case .multipart(let body) = request.body else { throw POSIXError(.EINVAL) }
        let boundary = try #require(body.boundary)
        #expect(request.headers.all("Content-Type") == ["multipart/form-data; boundary=\(boundary)"])
        #expect(request.head.value(forHTTPHeaderField: "Content-Type") == request.headers["Content-Type"])
        return boundary
    }

    private static func drawn(_ digit: String) -> String { "errand-" + String(repeating: digit, count: 16) }

    private func circle(_ numbers: UInt64...) -> Circle { Circle(numbers.map { $0 << 24 }) }

    @Test func `the boundary comes from the request's random source`() throws {
        let parts = [MultipartBody.Part.field("v", name: "n")]
        #expect(try boundary(request(parts, from: circle(0xAB))) == Self.drawn("ab"))
        #expect(try boundary(request(parts)) != boundary(request(parts)))
        #expect(try boundary(request(parts)).utf8.count == 39)
    }

    @Test func `a boundary that occurs in a part is replaced`() throws {
        let text = "x\(Self.drawn("ab"))x"
        let rows: [[MultipartBody.Part]] = [
            [.field(text, name: "n")], [.data(Data(text.utf8), name: "n"), .field("", name: "m")],
            [MultipartBody.Part(name: "n", headers: ["X-A": "1", text: ""], content: .text(""))],
            [.field(String(repeating: "e", count: 65_000) + text, name: "n")],
        ]
        for parts in rows { #expect(try boundary(request(parts, from: circle(0xAB, 0xCD))) == Self.drawn("cd")) }
        // Two parts together do not contain it, and bytes behind the limit of a part are not searched.
        let halves = [Self.drawn("ab").prefix(20), Self.drawn("ab").dropFirst(20)]
        let joined = halves.map { MultipartBody.Part.field(String($0), name: "n") }
        #expect(try boundary(request(joined, from: circle(0xAB, 0xCD))) == Self.drawn("ab"))
        let far = MultipartBody.Part.data(Data(count: 65_536) + Data(text.utf8), name: "n")
        #expect(try boundary(request([far], from: circle(0xAB, 0xCD))) == Self.drawn("ab"))
        let later = [far, .field(text, name: "m")]
        #expect(try boundary(request(later, from: circle(0xAB, 0xCD))) == Self.drawn("cd"))
    }

    @Test func `a number is appended if each draw occurs in a part`() throws {
        let text = Self.drawn("ab")
        let one = circle(0xAB)
        #expect(try boundary(request([.field(text, name: "n")], from: one)) == text + "-0000")
        #expect(one.count == 4 * 16)
        let numbers = (0..<1_400).map { "\(text)-\(String(repeating: "0", count: 4 - "\($0)".count))\($0)" }
        let used = [0, 2, 1, 4].map { numbers[$0] }.joined()
        #expect(try boundary(request([.field(used, name: "n")], from: circle(0xAB))) == numbers[3])
        let full = MultipartBody.Part.field(numbers.joined(), name: "n")
        #expect(try boundary(request([full], from: circle(0xAB))) == text + "-1400")
    }

    @Test func `the boundary is fixed once, and the content type belongs to the body`() throws {
        var request = try request([.field("v", name: "n")]) {
            $0.setValue("text/plain", forHTTPHeaderField: "content-type")
            $0.setValue("1", forHTTPHeaderField: "X-A")
        }
        let first = try boundary(request)
        request.head.setValue("application/json", forHTTPHeaderField: "Content-Type")
        #expect(try boundary(request) == first)
        request.head = URLRequest(url: try #require(URL(string: "http://api.test/b")))
        #expect(try boundary(request) == first)
        request.method = .put
        let same = request.body
        request.body = same
        #expect(try boundary(request) == first)
        request.body = .multipart(["a": "b"])
        #expect(try boundary(request) != first)
        request.body = .data(Data())
        #expect(request.headers["Content-Type"] == nil)
    }

    @Test func `a body outside of a request has another boundary at each use`() async throws {
        let body = RequestBody.multipart(["a": "b"])
        let (one, other) = (try await body.bytes(), try await body.bytes())
        let length = try body.length()
        #expect(one != other && one.count == other.count && Int64(one.count) == length)
        #expect(body.data?.count == one.count)
    }
}
