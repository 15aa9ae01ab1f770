import GalleryCore
import Testing
import gallery

@Suite(.timeLimit(.minutes(1))) struct RequestLimitTests {
    /// Fetches three pages of one picture each, and returns the lines of `--explain` and of the warnings.
    private func fetch(_ arguments: String..., variables: [String: String] = [:]) async throws -> [String] {
        let (folder, error) = (try TestFolder(), RecordedStream())
        return try await DevelopmentServer.withServer { server in
            let line = ["fetch", "--pages=3", "--per-page=1", "--explain", "--no-cache"]
            let places = ["--base-url=\(server.url)", "--output=\(folder.path)/out"]
            let status = await Program.run(
                line + places + arguments, environment: variables,
                on: .recording(RecordedStream(), error, environment: variables))
            #expect(status == .success)
            return error.lines
        }
    }

    @Test func `a rate delays all requests for lists except the first`() async throws {
        let start = ContinuousClock.now
        _ = try await fetch("--rate=2")
        #expect(ContinuousClock.now - start >= .seconds(1))
    }

    @Test func `without a rate and a server, no request waits`() async throws {
        #expect(try await fetch().allSatisfy { !$0.contains("rate limit") })
    }

    @Test func `a fetch warns if the limit is not shared, and uses its part of the rate`() async throws {
        // Nothing listens on this port.
        let lines = try await fetch(
            "--shared=redis://worker@127.0.0.1:1", "--rate=100", "--workers=8",
            variables: ["GALLERY_SHARED_PASSWORD": "s3cr3tkey"])
        let warnings = lines.filter { $0.hasPrefix("gallery: the limit is not shared: ") }
        #expect(warnings.count == 1 && warnings[0].hasSuffix("this process sends 12.5 requests per second"))
        #expect(lines.contains { $0.contains("the store of the shared limit failed") })
        #expect(!lines.contains { $0.contains("s3cr3tkey") })
    }
}
