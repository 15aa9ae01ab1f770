import Errand
import ErrandLoopback
import Foundation
import TestSupport
import Testing

/// The progress of uploads over the real sessions.
@Suite(.timeLimit(.minutes(1))) struct UploadProgressIntegrationTests {
    private struct Upload: APIHandler {
        let url: URL

        func makeRequest(from body: RequestBody) -> URLRequest {
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            return request
        }

        func body(for body: RequestBody) -> RequestBody? { body }

        func parseResponse(data: Data, head: ResponseHead) -> String { String(decoding: data, as: UTF8.self) }
    }

    static let sessions: [(name: String, session: any APISession & Sendable)] = [
        ("platform", PlatformSession.platform), ("URLSession", URLSession(configuration: .ephemeral)),
    ]

    private static let size = 3 << 20

    static let bodies: [(name: String, make: @Sendable (URL) -> RequestBody)] = [
        ("data", { _ in .data(Data(count: size)) }), ("file", { .file($0) }),
        (
            "stream",
            { _ in
                .stream(length: Int64(size)) {
                    AsyncStream<Data> { source in
                        for _ in 0..<12 { source.yield(Data(count: size / 12)) }
                        source.finish()
                    }
                }
            }
        ),
    ]

    @Test(arguments: sessions.indices, bodies.indices)
    func `progress ends at the size of the body`(session: Int, body: Int) async throws {
        let (sessionName, session) = Self.sessions[session]
        let (bodyName, body) = Self.bodies[body]
        let file = FileManager.default.temporaryDirectory.appending(path: "errand-\(UUID().uuidString)")
        try Data(count: Self.size).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await LoopbackServer.withServer { request in
            .text("\(request.body.count)")
        } _: { server in
            let loader = APILoader(Upload(url: server.url), over: session)
            var (completed, value): ([Int64], String?) = ([], nil)
            for try await event in loader.upload(body(file)) {
                switch event {
                case .progress(let progress):
                    completed.append(progress.completed)
                    #expect(progress.total == nil || progress.total == Int64(Self.size))
                case .finished(let text): value = text
                }
            }
            #expect(value == "\(Self.size)")
            #expect(completed.last == Int64(Self.size), "\(sessionName) \(bodyName): \(completed)")
            #expect(completed == completed.sorted(), "\(sessionName) \(bodyName): \(completed)")
        }
    }
}

extension APILoader {
    fileprivate init(_ handler: T, over session: any APISession) {
        self = Self.make(handler, session)
    }

    private static func make(_ handler: T, _ session: some APISession) -> APILoader {
        APILoader(handler, session: session)
    }
}
