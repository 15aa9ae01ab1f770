import Errand
import ErrandTesting
import Testing

func recordPhotos(over session: some APISession, to file: URL) async throws -> [Photo] {
    let recording = RecordingSession(session)
    let photos = try await APILoader(GalleryAPI(environment: .production), session: recording).load(GalleryQuery())
    try recording.archive.write(to: file)
    return photos
}

func replayPhotos(from file: URL) async throws -> [Photo] {
    let session = ReplaySession(try HTTPArchive(contentsOf: file))
    let photos = try await APILoader(GalleryAPI(environment: .production), session: session).load(GalleryQuery())
    try session.verify()  // throws if a recorded response is unused
    return photos
}

/// Runs a test with the recorded responses of a HAR file.
nonisolated struct ReplayTrait: TestTrait, TestScoping {
    @TaskLocal static var session: any APISession = ScriptedSession([])

    let file: URL

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        if ProcessInfo.processInfo.environment["RECORD"] != nil {
            let recording = RecordingSession(PlatformSession.platform)
            try await Self.$session.withValue(recording) { try await function() }
            try recording.archive.write(to: file)
        } else {
            let replay = ReplaySession(try HTTPArchive(contentsOf: file))
            try await Self.$session.withValue(replay) { try await function() }
            try replay.verify()
        }
    }
}

nonisolated extension Trait where Self == ReplayTrait {
    /// Replays a HAR file in the folder of the test. Records it if the environment variable `RECORD` is set.
    static func replaying(_ name: String, test: String = #filePath) -> Self {
        ReplayTrait(file: URL(filePath: test).deletingLastPathComponent().appending(path: name))
    }
}

@Test(.replaying("Recordings/gallery.har")) func `the newest photos are shown`() async throws {
    let loader = APILoader(GalleryAPI(environment: .production), session: ReplayTrait.session)
    #expect(try await loader.load(GalleryQuery()).first?.id == "hgj6qwK5mXT")
}
