import Errand
import ErrandLoopback
import ErrandSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct URLSessionUploadIntegrationTests {
    enum Kind: String, CaseIterable, Sendable { case file, stream, measured, once }

    /// Bytes, also divided into chunks of odd sizes.
    private struct Parts {
        let complete: Data
        let all: [Data]

        init(_ count: Int) {
            let block = Data((0..<251).map { UInt8($0) })
            var bytes = Data()
            while bytes.count < count { bytes.append(block.prefix(count - bytes.count)) }
            complete = bytes
            all = stride(from: 0, to: count, by: 60_001).map { bytes[$0..<min(count, $0 + 60_001)] }
        }
    }

    private func body(_ kind: Kind, _ parts: Parts, in folder: ScratchFolder) throws -> RequestBody {
        switch kind {
        case .file: .file(try folder.file(parts.complete))
        case .stream: .stream { [all = parts.all] in AsyncParts(all) }
        case .measured: .stream(length: Int64(parts.complete.count)) { [all = parts.all] in AsyncParts(all) }
        case .once: .stream(once: AsyncParts(parts.all))
        }
    }

    private func upload(
        _ server: LoopbackServer, _ body: RequestBody, in folder: ScratchFolder,
        _ configure: (inout RequestOptions) -> Void = { _ in }
    ) -> APIRequest {
        var request = request(server, "/", "PUT") { options in
            options[SpoolFolder.self] = folder.url
            configure(&options)
        }
        request.body = body
        return request
    }

    @Test(arguments: Kind.allCases, [0, 1, 70_000, 3_000_000])
    func `a body arrives completely with its length`(kind: Kind, count: Int) async throws {
        let parts = Parts(count)
        let complete = parts.complete
        try await withServer { request in
            let isComplete = request.body == complete && request["Content-Length"] == "\(count)"
            let headers = ["Transfer-Encoding", "Expect", "Content-Type"].map { request[$0] ?? "-" }
            return .text("\(isComplete) \(headers.joined(separator: " "))")
        } _: { server, session in
            let folder = try ScratchFolder()
            let response = try await session.send(upload(server, try body(kind, parts, in: folder), in: folder))
            let text = String(decoding: try await response.body.collect(), as: UTF8.self)
            #expect(text == "true - - application/octet-stream")
            #expect(response.metrics?.bytesSent == (count == 0 ? nil : Int64(count)))
            try await folder.waitUntilTidy()
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let name: String
        let reason: String
        let body: @Sendable (ScratchFolder) throws -> RequestBody
        var testDescription: String { name }
    }

    struct SourceFailure: Error {}

    static let refusals: [Refusal] = [
        Refusal(name: "missing", reason: "the body's file can't be read: no such file or folder") { folder in
            .file(folder.url.appending(path: "none"))
        },
        Refusal(name: "folder", reason: "found a folder, a pipe or a device") { .file($0.url) },
        Refusal(name: "device", reason: "found a folder, a pipe or a device") { _ in .file(URL(filePath: "/dev/zero"))
        },
        Refusal(name: "pipe", reason: "found a folder, a pipe or a device") { .file(try $0.pipe()) },
        Refusal(name: "remote URL", reason: "expected a file URL as the body") { _ in
            .file(try #require(URL(string: "http://127.0.0.1/x")))
        },
        Refusal(name: "failing source", reason: "the body's source failed (SourceFailure)") { _ in
            .stream { AsyncParts([Data("ab".utf8)], then: SourceFailure()) }
        },
        Refusal(name: "too few", reason: "expected 5 bytes from the body's source, found only 4") { _ in
            .stream(length: 5) { AsyncParts([Data("ab".utf8), Data("cd".utf8)]) }
        },
        Refusal(name: "too many", reason: "expected 3 bytes from the body's source, found more") { _ in
            .stream(length: 3) { AsyncParts([Data("ab".utf8), Data("cd".utf8)]) }
        },
    ]

    @Test(arguments: refusals)
    func `an invalid body is refused before the request is sent`(row: Refusal) async throws {
        try await withServer { _ in
            .text("x")
        } _: { server, session in
            let folder = try ScratchFolder()
            let request = upload(server, try row.body(folder), in: folder)
            let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
            #expect(error?.code == .encoding && error?.reason.contains(row.reason) == true, "\(error as Any)")
            #expect((error?.underlying is SourceFailure) == (row.name == "failing source"))
            #expect(server.statistics.acceptedConnections == 0)
            #expect(try folder.leftovers().isEmpty)
        }
    }

    @Test func `the temporary file of a stream is readable by its owner only`() async throws {
        try await withServer { request in
            .text("\(request.body.count)")
        } _: { server, session in
            let folder = try ScratchFolder()
            let modes = Locked<[Int]>([])
            let body = RequestBody.stream {
                AsyncParts([Data("ab".utf8), Data("cd".utf8)]) {
                    let found = (try? folder.leftovers().map { try folder.mode(of: $0) }) ?? []
                    modes.withLock { $0 += found }
                }
            }
            _ = try await session.send(upload(server, body, in: folder))
            #expect(modes.withLock { $0 } == [0o600, 0o600, 0o600])
            try await folder.waitUntilTidy()
        }
    }

    @Test(arguments: Kind.allCases, [307, 308])
    func `a redirect repeats a body that can be repeated`(kind: Kind, status: Int) async throws {
        let parts = Parts(100_000)
        let complete = parts.complete
        try await withServer { request in
            guard request.path == "/there" else { return .status(status).header("Location", "/there") }
            return .text("\(request.body == complete)")
        } _: { server, session in
            let folder = try ScratchFolder()
            let request = upload(server, try body(kind, parts, in: folder), in: folder)
            if kind == .once {
                let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
                #expect(error?.code == .redirect && server.statistics.requests == 1)
            } else {
                let response = try await session.send(request)
                #expect(try await response.body.collect() == Data("true".utf8))
            }
            try await folder.waitUntilTidy()
        }
    }

    @Test func `a one-time body is not sent twice`() async throws {
        try await withServer { _ in
            .text("x")
        } _: { server, session in
            let folder = try ScratchFolder()
            let request = upload(server, try body(.once, Parts(2), in: folder), in: folder)
            _ = try await session.send(request)
            let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
            #expect(error?.code == .encoding && server.statistics.requests == 1)
        }
    }

    @Test(arguments: [0, 500, 2_000])
    func `a file that changes before the response is an error`(size: Int) async throws {
        let folder = try ScratchFolder()
        let file = try folder.file(Data(count: 1_000))
        try await withServer { _ in
            do { try Data(count: size).write(to: file) } catch { return .closeWithoutReply }
            return .text("x")
        } _: { server, session in
            let request = upload(server, .file(file), in: folder)
            let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
            #expect(error?.code == .encoding && error?.reason == "the body's file changed while it was sent")
        }
    }

    @Test func `an upload on a closed connection fails without a truncated body`() async throws {
        let parts = Parts(100_000)
        let lengths = Locked<[Int]>([])
        try await withServer { request in
            guard request.method == "PUT" else { return .text("x") }
            lengths.withLock { $0.append(request.body.count) }
            return .closeWithoutReply
        } _: { server, session in
            let folder = try ScratchFolder()
            for kind in Kind.allCases {
                _ = try await session.send(request(server))
                let request = upload(server, try body(kind, parts, in: folder), in: folder) {
                    $0.idleTimeout = .milliseconds(500) * TestEnvironment.patience
                }
                let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
                #expect(error?.code == .timeout || error?.code == .connectionLost, "\(error as Any)")
            }
            try await folder.waitUntilTidy()
        }
        #expect(Set(lengths.withLock { $0 }) == [100_000])
    }

    @Test(arguments: ["source", "response"])
    func `cancellation ends an upload and removes its temporary file`(moment: String) async throws {
        let (readings, read) = AsyncStream<Void>.makeStream()
        try await withServer { _ in
            .stall
        } _: { server, session in
            let folder = try ScratchFolder()
            let body = RequestBody.stream {
                AsyncParts([Data("ab".utf8)], waits: moment == "source") { read.yield() }
            }
            let request = upload(server, body, in: folder)
            let call = Task { try await session.send(request) }
            if moment == "source" {
                for await _ in readings.prefix(2) {}
            } else {
                for await statistics in server.statisticsUpdates where statistics.requests == 1 { break }
            }
            #expect(try folder.leftovers().count == 1)
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            try await folder.waitUntilTidy()
        }
    }

    @Test func `uploads that are cancelled at any time leave no files`() async throws {
        let parts = Parts(300_000)
        let complete = parts.complete
        try await withServer { request in
            .text("\(request.body == complete)")
        } _: { server, session in
            let folder = try ScratchFolder()
            let bodies = [try body(.file, parts, in: folder), try body(.stream, parts, in: folder)]
            for body in bodies {
                let request = upload(server, body, in: folder)
                let outcome = await Soak.run(TestEnvironment.rounds(50, heavy: 1_000, patient: 25), width: 12, seed: 3)
                {
                    let response = try await session.send(request)
                    guard try await response.body.collect() == Data("true".utf8) else { throw SourceFailure() }
                }
                #expect(outcome.others.isEmpty && outcome.finished > 0 && outcome.cancelled > 0, "\(outcome)")
            }
            try await folder.waitUntilTidy()
        }
    }
}
