import Errand
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RequestBodyChunksTests {
    private func bytes(of body: RequestBody) async throws -> Data {
        var all = Data()
        for try await chunk in body.chunks { all.append(chunk) }
        return all
    }

    @Test func `every kind of body repeats its bytes and length`() async throws {
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "body")
        let content = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0) })
        try content.write(to: file)
        let rows: [(body: RequestBody, bytes: Data, length: Int64?)] = [
            (.none, Data(), 0), (.data(Data()), Data(), 0), (.data(Data("ab".utf8)), Data("ab".utf8), 2),
            (.file(file), content, 600_000),
            (.stream { AsyncParts([Data("ab".utf8), Data("c".utf8)]) }, Data("abc".utf8), nil),
            (.stream(length: 3) { AsyncParts([Data("abc".utf8)]) }, Data("abc".utf8), 3),
        ]
        for row in rows {
            #expect(try row.body.length() == row.length, "\(row.body)")
            for _ in 1...2 { #expect(try await bytes(of: row.body) == row.bytes, "\(row.body)") }
        }
    }

    @Test func `a file is read in chunks`() async throws {
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "body")
        try Data(count: 600_000).write(to: file)
        var sizes: [Int] = []
        for try await chunk in RequestBody.file(file).chunks { sizes.append(chunk.count) }
        #expect(sizes == [262_144, 262_144, 75_712])
    }

    @Test(arguments: [10, 299_999, 300_001, 900_000])
    func `a file that changes during sending is an error`(size: UInt64) async throws {
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "body")
        try Data(count: 300_000).write(to: file)
        var chunks = RequestBody.file(file).chunks.makeAsyncIterator()
        var received = try await chunks.next()?.count ?? 0
        try FileHandle(forWritingTo: file).truncate(atOffset: size)
        do {
            while let chunk = try await chunks.next() { received += chunk.count }
            Issue.record("no error after \(received) bytes")
        } catch let error as ServiceError {
            #expect(error.code == .encoding && error.reason == "the body's file changed while it was sent")
        }
        #expect(received <= 300_000)
    }

    @Test(arguments: ["missing", "."])
    func `length and chunks fail without a regular file`(name: String) async throws {
        let folder = try ScratchFolder()
        let body = RequestBody.file(folder.url.appending(path: name))
        #expect(try #require(throws: ServiceError.self) { try body.length() }.code == .encoding)
        let error = await #expect(throws: ServiceError.self) { try await self.bytes(of: body) }
        #expect(error?.code == .encoding)
    }

    @Test func `a one-time stream is read once and checked against its length`() async throws {
        let once = RequestBody.stream(once: AsyncParts([Data("abc".utf8)]))
        #expect(try await bytes(of: once) == Data("abc".utf8))
        let again = await #expect(throws: ServiceError.self) { try await self.bytes(of: once) }
        #expect(again?.code == .encoding)
        let short = RequestBody.stream(length: 4) { AsyncParts([Data("abc".utf8)]) }
        let error = await #expect(throws: ServiceError.self) { try await self.bytes(of: short) }
        #expect(error?.code == .encoding)
    }
}
