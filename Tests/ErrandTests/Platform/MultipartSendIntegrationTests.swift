import Errand
import ErrandLoopback
import ErrandSupport
import ErrandTesting
import TestSupport
import Testing

/// Multipart bodies over each transport of this platform.
@Suite(.timeLimit(.minutes(1))) struct MultipartSendIntegrationTests {
    enum Kind: String, CaseIterable, Sendable { case memory, file, measured, unmeasured, once }

    static let transports: [Transport] = Platform.name == "Linux" ? Transport.allCases : [.urlSession]

    private static let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 131 >> 5) })

    private func body(_ kind: Kind, in folder: ScratchFolder) throws -> RequestBody {
        let content = Self.content
        let part: MultipartBody.Part
        switch kind {
        case .memory: part = .data(content, name: "f", fileName: "f")
        case .file: part = .file(try folder.file(content, name: "f"), name: "f")
        case .measured: part = .stream(name: "f", fileName: "f", length: 300_000) { AsyncParts([content]) }
        case .unmeasured: part = .stream(name: "f", fileName: "f") { AsyncParts([content]) }
        case .once: part = .stream(once: AsyncParts([content]), name: "f", fileName: "f")
        }
        return .multipart(["title": "Ada"], files: [part])
    }

    private func request(
        _ server: LoopbackServer, _ kind: Kind, in folder: ScratchFolder, _ path: String = "/"
    ) throws -> APIRequest {
        var head = URLRequest(url: server.url.appending(path: path))
        head.httpMethod = "POST"
        head.setValue("application/json", forHTTPHeaderField: "Content-Type")
        var options = RequestOptions()
        options[SpoolFolder.self] = folder.url
        return APIRequest(head: head, body: try body(kind, in: folder), options: options)
    }

    /// The body that a server expects after it has read the boundary from the content type.
    private static func isComplete(_ request: LoopbackRequest) -> Bool {
        let prefix = "multipart/form-data; boundary="
        guard let type = request["Content-Type"], type.hasPrefix(prefix) else { return false }
        let boundary = type.dropFirst(prefix.count)
        let head = "--\(boundary)\r\nContent-Disposition: form-data; name="
        let type2 = "Content-Type: application/octet-stream"
        var expected = Data("\(head)\"title\"\r\n\r\nAda\r\n\(head)\"f\"; filename=\"f\"\r\n\(type2)\r\n\r\n".utf8)
        expected += content + Data("\r\n--\(boundary)--\r\n".utf8)
        return request.body == expected
    }

    @Test(arguments: transports, Kind.allCases)
    func `a multipart body arrives completely`(transport: Transport, kind: Kind) async throws {
        try await LoopbackServer.withServer { request in
            .text(
                "\(Self.isComplete(request)) \(request["Content-Length"].map { $0 == "\(request.body.count)" } ?? false)"
            )
        } _: { server in
            let folder = try ScratchFolder()
            let session = try transport.makeSession(usesProxies: false)
            let response = try await session.send(request(server, kind, in: folder))
            let isMeasured = transport == .urlSession || kind != .unmeasured && kind != .once
            #expect(try await response.body.collect() == Data("true \(isMeasured)".utf8))
            try await folder.waitUntilTidy()
        }
    }

    @Test(arguments: transports, Kind.allCases)
    func `a redirect repeats the same bytes`(transport: Transport, kind: Kind) async throws {
        let seen = Locked<[Data]>([])
        try await LoopbackServer.withServer { request in
            seen.withLock { $0.append(request.body + Data((request["Content-Type"] ?? "").utf8)) }
            guard request.path == "/there" else { return .status(307).header("Location", "/there") }
            return .text("\(Self.isComplete(request))")
        } _: { server in
            let folder = try ScratchFolder()
            let session = try transport.makeSession(usesProxies: false)
            let request = try request(server, kind, in: folder)
            if kind == .once {
                let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
                #expect(error?.code == .redirect && seen.withLock(\.count) == 1)
            } else {
                let response = try await session.send(request)
                #expect(try await response.body.collect() == Data("true".utf8))
                #expect(seen.withLock { $0.count == 2 && $0[0] == $0[1] })
            }
            try await folder.waitUntilTidy()
        }
    }

    @Test(arguments: transports) func `a redirect to GET drops the body and its type`(transport: Transport) async throws
    {
        try await LoopbackServer.withServer { request in
            guard request.path == "/there" else { return .status(303).header("Location", "/there") }
            return .text("\(request.method) \(request.body.count) \(request["Content-Type"] ?? "none")")
        } _: { server in
            let session = try transport.makeSession(usesProxies: false)
            let response = try await session.send(request(server, .memory, in: ScratchFolder()))
            #expect(try await response.body.collect() == Data("GET 0 none".utf8))
        }
    }

    @Test(arguments: transports)
    func `an invalid part or a missing file is refused before a byte is sent`(transport: Transport) async throws {
        try await LoopbackServer.withServer { _ in
            .text("x")
        } _: { server in
            let folder = try ScratchFolder()
            let session = try transport.makeSession(usesProxies: false)
            for part: MultipartBody.Part in [
                .file(folder.url.appending(path: "none"), name: "f"), .file(folder.url, name: "f"),
                .data(Data(), name: "f", contentType: "a\r\nb: c"),
            ] {
                var request = try request(server, .memory, in: folder)
                request.body = .multipart(["a": "b"], files: [part])
                let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
                #expect(error?.code == .encoding)
            }
            #expect(server.statistics.requests == 0)
        }
    }

    @Test(arguments: transports)
    func `a single-use part is not sent twice`(transport: Transport) async throws {
        try await LoopbackServer.withServer { _ in
            .text("x")
        } _: { server in
            let folder = try ScratchFolder()
            let session = try transport.makeSession(usesProxies: false)
            let request = try request(server, .once, in: folder)
            #expect(try await session.send(request).head.status == 200)
            let error = await #expect(throws: ServiceError.self) { try await session.send(request) }
            #expect(error?.code == .encoding && error?.reason.contains("single-use stream") == true)
            #expect(server.statistics.requests == 1)
        }
    }
}
