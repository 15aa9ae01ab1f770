import Errand
import ErrandTesting
import GalleryCore
import TestSupport
import Testing

/// Tests the caching headers of the development server, and a cache in front of it.
@Suite(.timeLimit(.minutes(1))) struct CatalogueCachingIntegrationTests {
    private func get(
        _ server: DevelopmentServer, _ target: String, _ headers: HeaderFields = [:]
    ) async throws -> APIResponse {
        var request = URLRequest(url: server.url.target(target))
        for header in headers { request.setValue(header.value, forHTTPHeaderField: header.name) }
        return try await PlatformSession.platform.send(APIRequest(request))
    }

    @Test(arguments: [
        ("/photos", "max-age=0"), ("/photos?page=1&per_page=3", "max-age=0"), ("/photos?page=2", "max-age=60"),
        ("/search/photos?query=sky", "max-age=0"), ("/search/photos?query=a&page=2", "max-age=60"),
        ("/photos/EyicAb3Gfxl", "max-age=0"), ("/users/zoe_angstrom", "max-age=0"),
        ("/users/zoe_angstrom/photos?page=3", "max-age=60"),
    ])
    func `a catalogue response has a lifetime and validators`(target: String, lifetime: String) async throws {
        try await DevelopmentServer.withServer { server in
            let head = try await get(server, target).head
            #expect(head.status == 200 && head.headers.all("Cache-Control") == [lifetime])
            #expect(
                head.validators.entityTag?.isWeak == false && head.headers["Last-Modified"]?.hasSuffix(" GMT") == true)
        }
    }

    @Test(arguments: ["/photos/random", "/photos/EyicAb3Gfxl/download", "/photos/nothing", "/photos?page=0"])
    func `other responses are not stored`(target: String) async throws {
        try await DevelopmentServer.withServer { server in
            let headers = try await get(server, target).head.headers
            #expect(headers["Cache-Control"]?.contains("no-store") == true && headers["ETag"] == nil)
        }
    }

    @Test(arguments: [
        ("TAG", 304), ("W/TAG", 304), (#""x", TAG , "y""#, 304), ("*", 304), (#""x""#, 200), ("xTAGx", 200),
        (#"W/"x""#, 200),
    ])
    func `a matching If-None-Match results in status 304`(condition: String, status: Int) async throws {
        try await DevelopmentServer.withServer { server in
            for target in ["/photos?page=2", "/pictures/dusk-hills.png"] {
                let first = try await get(server, target).head.headers
                let tag = try #require(first["ETag"])
                let condition = condition.replacing("TAG", with: tag)
                let second = try await get(server, target, ["If-None-Match": condition])
                #expect(second.head.status == status)
                for name in ["ETag", "Cache-Control", "Last-Modified", "Link", "X-Total"] {
                    #expect(second.head.headers[name] == first[name])
                }
                #expect(try await second.body.collect(upTo: 1 << 20).isEmpty == (status == 304))
            }
        }
    }

    @Test func `an upload changes the entity tags of lists`() async throws {
        let folder = try ScratchFolder()
        let upload = try PictureUpload(try folder.file(SamplePicture.png, name: "a.png"))
        try await DevelopmentServer.withServer { server in
            // The photos of the last page stay the same, and their number changes.
            let targets = ["/photos", "/photos?page=2", "/photos?order_by=oldest"]
            var tags: [String] = []
            for target in targets { tags.append(try #require(try await get(server, target).head.headers["ETag"])) }
            _ = try await APILoader(UploadAPI(environment: server.environment)).load(upload)
            for (target, tag) in zip(targets, tags) {
                #expect(try await get(server, target, ["If-None-Match": tag]).head.status == 200)
            }
        }
    }

    /// Loads the first two pages. Returns the notes of the cache about each.
    private func notes(_ loader: APILoader<GalleryAPI>) async throws -> [[String]] {
        var notes: [[String]] = []
        for page in 1...2 {
            let trail = try await loader.response(GalleryQuery(page: page)).trail
            notes.append(trail.events.filter { $0.source == .cache }.map(\.message))
        }
        return notes
    }

    @Test func `a cache validates the first page, and later pages after a minute`() async throws {
        let (clock, store) = (ManualClock(), MemoryCacheStore())
        try await DevelopmentServer.withServer { server in
            let session = PlatformSession.platform.cached(in: store)
            let loader = APILoader(GalleryAPI(environment: server.environment), session: session, time: clock)
            let first = try await notes(loader)
            clock.advance(by: .seconds(18))
            let second = try await notes(loader)
            clock.advance(by: .seconds(45))
            let third = try await notes(loader)
            #expect(first == [[], []])
            #expect(second == [["stale for 18 s, validated: 304"], ["fresh, 42 s left"]])
            #expect(third == [["stale for 45 s, validated: 304"], ["stale for 3 s, validated: 304"]])
        }
    }
}
