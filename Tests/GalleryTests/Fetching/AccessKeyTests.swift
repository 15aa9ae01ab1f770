import Errand
import ErrandLoopback
import Testing
import gallery

/// Tests that the access key is sent only to the API's origin, not to the host of the pictures, and is never printed.
@Suite(.timeLimit(.minutes(1))) struct AccessKeyTests {
    private static let key: String = "test-key-4711"
    private let scene: FetchScene
    private let recording: LoopbackServer.Configuration

    init() throws {
        scene = try FetchScene()
        var configuration = LoopbackServer.Configuration()
        configuration.recordedRequests = 100
        recording = configuration
    }

    /// Whether any part of a request contains the key.
    private static func holdsKey(_ request: LoopbackRequest) -> Bool {
        request.target.contains(key) || request.headers.contains { $0.value.contains(key) }
    }

    @Test func `the host of the pictures does not receive the key`() async throws {
        try await LoopbackServer.withServer(configuration: recording, GalleryDouble().reply) { pictures in
            let gallery = GalleryDouble(pictures: pictures.url)
            try await LoopbackServer.withServer(configuration: recording, gallery.reply) { api in
                #expect(await scene.fetch("--access-key", Self.key, from: api) == .success)
                #expect(api.requests.count == 4)
                #expect(api.requests.allSatisfy { $0["Authorization"] == "Client-ID \(Self.key)" })
            }
            #expect(pictures.requests.count == 3)
            #expect(!pictures.requests.contains { Self.holdsKey($0) || $0["Authorization"] != nil })
        }
        #expect(scene.error.text.isEmpty && scene.pictures.count == 3)
    }

    @Test func `requests for pictures on the API's origin have no key`() async throws {
        try await LoopbackServer.withServer(configuration: recording, GalleryDouble().reply) { api in
            #expect(await scene.fetch("--access-key", Self.key, from: api) == .success)
            let pictures = api.requests.filter { $0.path.hasPrefix("/picture/") }
            #expect(pictures.count == 3 && !pictures.contains(where: Self.holdsKey))
        }
    }

    @Test func `a download URL on another origin is only a warning`() async throws {
        try await LoopbackServer.withServer(configuration: recording, GalleryDouble().reply) { foreign in
            let gallery = GalleryDouble(ids: ["p1"], notices: foreign.url)
            try await LoopbackServer.withServer(gallery.reply) { api in
                #expect(await scene.fetch("--access-key", Self.key, from: api) == .success)
            }
            #expect(foreign.requests.isEmpty)
        }
        let beginning = "gallery: warning: p1: the download was not reported to the server: "
        #expect(scene.complaints.count == 1 && scene.complaints.first?.hasPrefix(beginning) == true)
    }

    @Test func `a next link to another origin is not followed`() async throws {
        try await LoopbackServer.withServer(configuration: recording, GalleryDouble().reply) { foreign in
            let link = "<\(foreign.url)/photos?page=2>; rel=\"next\""
            let gallery = GalleryDouble(special: { request in
                request.path == "/photos" ? GalleryDouble().reply(to: request).header("Link", link) : nil
            })
            try await LoopbackServer.withServer(gallery.reply) { api in
                #expect(await scene.fetch("--pages=2", "--access-key", Self.key, from: api) == .failure)
            }
            #expect(foreign.requests.isEmpty)
        }
        #expect(scene.pictures.count == 3 && scene.complaints.count == 1)
    }

    @Test(arguments: ["--json", "--pages=1"])
    func `a key that a server repeats is not printed`(argument: String) async throws {
        let gallery = GalleryDouble(
            title: "Lake \(Self.key)",
            special: { $0.path == "/picture/p2" ? .data(Data("x".utf8), type: "text/\(Self.key)") : nil })
        try await LoopbackServer.withServer(gallery.reply) { api in
            #expect(await scene.fetch(argument, "--access-key", Self.key, from: api) == .failure)
        }
        #expect(!scene.output.text.contains(Self.key) && !scene.error.text.contains(Self.key))
        #expect(scene.output.text.contains("Lake ‹redacted› p1"))
    }
}
