import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite struct DownloadRecipeTests {
    @Test func `a film resumes, and a second one gets another name`() async throws {
        let whole = CannedReply.chunks([Data("fi".utf8), Data("lm".utf8)])
            .header("Content-Length", "4").header("ETag", #""1""#)
        let part = CannedReply.data(Data("m".utf8), status: 206)
            .header("Content-Range", "bytes 3-3/4").header("ETag", #""1""#)
        let session = ScriptedSession([whole.truncatingBody(after: 3), part, whole, whole])
        let shop = CustomEnvironment<APIPath>(name: "shop", baseURL: "https://shop.example")
        let loader = APILoader(FilmAPI(environment: shop), session: session, time: InstantClock())
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "film.mov")
        #expect(try await keep("a film", at: file, with: loader) == 4)
        #expect(try Data(contentsOf: file) == Data("film".utf8))
        #expect(session.recorded.last?.headers["Range"] == "bytes=3-")
        var steps: [Double?] = []
        for name in ["a film", "a film (2)"] {
            let url = try await keep("a film", in: folder.url, with: loader) { steps.append($0) }
            #expect(url?.lastPathComponent == name)
        }
        #expect(steps.last == 1)
        try session.verify()
    }

    @Test func `a release is installed only with its checksum`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.file(Data("old".utf8), name: "tool")
        let shop = CustomEnvironment<APIPath>(name: "shop", baseURL: "https://shop.example")
        let session = ScriptedSession([.text("film"), .text("film")])
        let loader = APILoader(FilmAPI(environment: shop), session: session)
        let error = await #expect(throws: ServiceError.self) {
            try await install("tool", checksum: String(repeating: "0", count: 64), to: file, with: loader)
        }
        #expect(error?.code == .badResponse)
        #expect(try Data(contentsOf: file) == Data("old".utf8))
        let sum = "d0607f7ad2628b2af9158dfba06ce87166e66b15bf68f8f358f9aa27ccb7c321"
        try await install("tool", checksum: sum, to: file, with: loader)
        #expect(try Data(contentsOf: file) == Data("film".utf8))
    }
}
