import Errand
import ErrandSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RequestBodyTests {
    private static let parts = [Data("ab".utf8), Data(), Data("cd".utf8)]

    private func stream(of body: RequestBody) throws -> RequestBody.Stream {
        guard case .stream(let stream) = body else { throw POSIXError(.EINVAL) }
        return stream
    }

    /// Returns all bytes of a stream.
    private func bytes(of stream: RequestBody.Stream) async throws -> Data {
        let parts = try stream.makeCheckedParts()
        var all = Data()
        while let part = try await parts() { all.append(part) }
        return all
    }

    @Test func `replayability and description depend on the kind of body`() throws {
        let once = RequestBody.stream(once: AsyncParts(Self.parts), length: 4)
        #expect(RequestBody.none.isReplayable && RequestBody.data(Data()).isReplayable)
        #expect(
            RequestBody.file(URL(filePath: "/f")).isReplayable && RequestBody.stream { AsyncParts([]) }.isReplayable)
        #expect(!once.isReplayable && once.data == nil)
        #expect(once == once && once != RequestBody.stream(once: AsyncParts(Self.parts), length: 4))
        #expect("\(once)" == "‹a stream of 4 bytes›" && "\(RequestBody.file(URL(filePath: "/f")))" == "‹a file›")
    }

    @Test func `a stream is reopened each time, a one-time stream only once`() async throws {
        let opened = Locked(0)
        let again = try stream(
            of: .stream {
                opened.withLock { $0 += 1 }
                return AsyncParts(Self.parts)
            })
        for count in 1...2 {
            let bytes = try await bytes(of: again)
            #expect(bytes == Data("abcd".utf8) && opened.withLock { $0 } == count)
        }
        let once = try stream(of: .stream(once: AsyncParts(Self.parts)))
        let first = try await bytes(of: once)
        #expect(first == Data("abcd".utf8))
        let error = await #expect(throws: ServiceError.self) { try await self.bytes(of: once) }
        #expect(error?.code == .encoding)
    }

    @Test(arguments: [nil, 0, 3, 4, 5] as [Int64?])
    func `a stream must match its declared length`(length: Int64?) async throws {
        let stream = try stream(of: .stream(length: length) { AsyncParts(Self.parts) })
        if length == nil || length == 4 {
            #expect(try await bytes(of: stream) == Data("abcd".utf8))
        } else {
            let error = await #expect(throws: ServiceError.self) { try await self.bytes(of: stream) }
            #expect(error?.code == .encoding && error?.reason.contains("expected \(length ?? -1) bytes") == true)
        }
    }

    @Test(arguments: [POSIXError(.EIO), ServiceError(.tls, "x"), URLError(.timedOut)] as [any Error])
    func `a stream failure becomes an encoding error with its cause`(cause: any Error) async throws {
        let stream = try stream(of: .stream { AsyncParts(Self.parts, then: cause) })
        let error = await #expect(throws: ServiceError.self) { try await self.bytes(of: stream) }
        #expect(error?.code == .encoding)
        #expect(error?.underlying.map { "\($0)" } == "\(cause)")
    }

    @Test func `a stream that cannot be spooled leaves no file`() async throws {
        let folder = try ScratchFolder()
        let failing = try stream(of: .stream { AsyncParts(Self.parts, then: POSIXError(.EIO)) })
        await #expect(throws: ServiceError.self) { _ = try await failing.spooled(in: folder.url) }
        #expect(try folder.leftovers().isEmpty)
        let complete = try stream(of: .stream { AsyncParts(Self.parts) })
        do {
            let file = try await complete.spooled(in: folder.url)
            #expect(try Data(contentsOf: file.url) == Data("abcd".utf8))
            #expect(try folder.leftovers().map { try folder.mode(of: $0) } == [0o600])
            withExtendedLifetime(file) {}
        }
        #expect(try folder.leftovers().isEmpty)
        let error = await #expect(throws: ServiceError.self) {
            _ = try await complete.spooled(in: folder.url.appending(path: "none"))
        }
        #expect(error?.code == .encoding && error?.underlying is POSIXError)
    }

    @Test func `a regular file is checked before and after sending`() throws {
        let folder = try ScratchFolder()
        let target = try folder.file(Data(count: 10))
        let link = folder.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        for url in [target, link] {
            let file = try RegularFile(url)
            #expect(file.size == 10)
            try file.checkUnchanged()
        }
        let file = try RegularFile(target)
        try Data(count: 11).write(to: target)
        #expect(throws: ServiceError.self) { try file.checkUnchanged() }
        try FileManager.default.removeItem(at: target)
        let error = #expect(throws: ServiceError.self) { try file.checkUnchanged() }
        #expect(error?.code == .encoding)
    }
}
