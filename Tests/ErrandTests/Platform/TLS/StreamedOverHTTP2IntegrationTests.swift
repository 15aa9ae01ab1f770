#if os(Linux)
    import Errand
    import Foundation
    import TestSupport
    import Testing

    /// Streamed response bodies of a session that offers HTTP/2.
    @Suite(.timeLimit(.minutes(2)), .needsNginx, .besideNginx, .serialized) struct StreamedOverHTTP2IntegrationTests {
        private static let size = 48 << 20
        private let scene: NginxScene

        init() throws {
            scene = try NginxScene()
            let big = scene.nginx.certificates.url.appending(path: "big")
            if !FileManager.default.fileExists(atPath: big.path) {
                #expect(FileManager.default.createFile(atPath: big.path, contents: nil))
                try FileHandle(forWritingTo: big).truncate(atOffset: UInt64(Self.size))
            }
        }

        private func big(_ configure: (inout APIRequest) -> Void = { _ in }) throws -> APIRequest {
            try scene.request(.good, "/files/big") {
                $0.options.delivery = .streamed
                configure(&$0)
            }
        }

        @Test func `a slow reader does not delay other requests`() async throws {
            let session = scene.session()
            _ = try await session.send(try scene.request(.good))
            let slow = try await session.send(try big())
            var parts = slow.body.makeAsyncIterator()
            let first = try #require(try await parts.next())
            var count = first.count
            for index in 0..<50 {
                let request = try scene.request(.good, "/\(index)") { $0.options.deadline = .after(.seconds(5)) }
                #expect(try await session.send(request).head.status == 200)
            }
            while let part = try await parts.next() { count += part.count }
            #expect(count == Self.size)
        }

        @Test func `unread bytes stay on the server, except for the window`() async throws {
            let session = scene.session()
            _ = try await session.send(try scene.request(.good))
            let before = ResidentMemory.now
            let slow = try await session.send(try big())
            var parts = slow.body.makeAsyncIterator()
            _ = try await parts.next()
            // If the stream shared their connection, these requests would make libcurl read more of it.
            for _ in 0..<50 { _ = try await session.send(try scene.request(.good)) }
            var most = 0
            for _ in 0..<200 {
                await Soak.wait(.milliseconds(5))
                most = max(most, ResidentMemory.now - before)
            }
            print("a paused stream of \(Self.size >> 20) MB holds \(most >> 10) kB")
            // Other tests that run at the same time use memory, too.
            if TestEnvironment.isAlone { #expect(most < 8 << 20) }
        }

        @Test func `concurrent streamed bodies are complete`() async throws {
            let session = scene.session()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    let request = try big()
                    group.addTask {
                        var count = 0
                        for try await part in try await session.send(request).body { count += part.count }
                        return count
                    }
                }
                for try await count in group { #expect(count == Self.size) }
            }
        }

        @Test func `a dropped stream frees its connection`() async throws {
            let session = scene.session()
            for _ in 0..<30 {
                let response = try await session.send(try big())
                var parts = response.body.makeAsyncIterator()
                _ = try await parts.next()
            }
            #expect(try await session.send(try scene.request(.good)).head.status == 200)
        }
    }
#endif
