#if os(macOS) || os(Linux)
    import Errand
    import ErrandLoopback
    import ErrandSupport
    import TestSupport
    import Testing

    /// A `gallery fetch` that is killed during a large picture, and the next one.
    @Suite(.timeLimit(.minutes(1)), .enabled(if: Executable(product: "gallery") != nil, "the program is not built"))
    struct KilledFetchTests {
        /// A picture of 2 MB. The first response stalls after 1 MB.
        private final class LargePicture: Sendable {
            static let sent = 1 << 20
            private let versions: [Data]
            private let requests = Locked(0)

            /// - Parameters:
            ///   - start: The first bytes.
            ///   - isChanged: Whether the picture changes after the first request.
            init(_ start: Data, isChanged: Bool) {
                var random = SplitMix(state: 7)
                versions = [0, isChanged ? 1 : 0].map { _ in
                    let words = (0..<1 << 18).map { _ in random.next() }
                    return start + words.withUnsafeBytes { Data($0) }
                }
                self.isChanged = isChanged
            }

            private let isChanged: Bool

            /// The picture of the second request.
            var newest: Data { isChanged ? versions[1] : versions[0] }

            func reply(_ request: LoopbackRequest) -> LoopbackReply? {
                guard request.path == "/picture/p1" else { return nil }
                let index = requests.withLock { count in
                    defer { count += 1 }
                    return count
                }
                let content = versions[0]
                guard index > 0 else {
                    return .stream(type: "image/png", contentLength: content.count) { writer in
                        try await writer.write(content.prefix(Self.sent))
                        await waitUntilCancelled()
                    }.header("ETag", #""1""#)
                }
                let tag = isChanged ? #""2""# : #""1""#
                guard let range = request["Range"], request["If-Range"] == tag,
                    let start = Int(range.dropFirst("bytes=".count).dropLast())
                else {
                    return .data(newest, type: "image/png").header("ETag", tag)
                }
                return .data(Data(newest.dropFirst(start)), type: "image/png", status: 206).header("ETag", tag)
                    .header("Content-Range", "bytes \(start)-\(newest.count - 1)/\(newest.count)")
            }
        }

        enum Later: CaseIterable {
            case same, changed, notAPicture
        }

        private let folder: TestFolder
        private let program: URL

        init() throws {
            folder = try TestFolder()
            program = try #require(Executable(product: "gallery")).url
        }

        /// Whether the bytes of the first response and their record are on the disk.
        private var isStored: Bool {
            get throws {
                let names = folder.names(in: "gallery")
                guard let partial = names.first(where: { $0.hasSuffix(".download") }) else { return false }
                let path = folder.url.appending(path: "gallery/\(partial)").path
                let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                return size == LargePicture.sent && names.contains { $0.hasSuffix(".json") }
            }
        }

        @Test(arguments: Later.allCases)
        func `a killed fetch continues with the missing bytes of a picture`(later: Later) async throws {
            let start = later == .notAPicture ? Data("<!doctype html>".utf8) : GalleryDouble.png
            let picture = LargePicture(start, isChanged: later == .changed)
            let gallery = GalleryDouble(ids: ["p1"], special: picture.reply)
            var configuration = LoopbackServer.Configuration()
            configuration.recordedRequests = 100
            try await LoopbackServer.withServer(configuration: configuration, gallery.reply) { server in
                let line = ["fetch", "--base-url", "\(server.url)"]
                let killed = try SpawnedProgram(program, line, in: folder.url)
                try await Soak.wait { try isStored }
                killed.forceEnd()
                #expect(try await killed.finished().status == SIGKILL)
                #expect(folder.names(in: "gallery").count == 2)

                let next = try await SpawnedProgram(program, line, in: folder.url).finished()
                let requests = server.requests.filter { $0.path == "/picture/p1" }
                #expect(requests.map { $0["Range"] } == [nil, "bytes=\(LargePicture.sent)-"])
                #expect(requests.map { $0["If-Range"] } == [nil, #""1""#])
                if later == .notAPicture {
                    #expect(next.status == 1 && folder.names(in: "gallery") == [])
                    #expect(next.error.contains("expected a PNG, JPEG, WebP, GIF or AVIF picture"))
                } else {
                    #expect(next.status == 0 && next.error.isEmpty)
                    let name = "lake-p1.p1.regular.png"
                    #expect(folder.names(in: "gallery") == [name])
                    let file = folder.url.appending(path: "gallery/\(name)")
                    #expect(try Data(contentsOf: file) == picture.newest)
                }
            }
        }
    }
#endif
