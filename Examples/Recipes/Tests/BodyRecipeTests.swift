import Errand
import ErrandLoopback
import ErrandTesting
import TestSupport
import Testing

@Suite struct BodyRecipeTests {
    @Test func `lines are read from a stream, and a file is uploaded`() async throws {
        let url = try #require(URL(string: "https://logs.example/today"))
        let session = ScriptedSession([.chunks([Data("ERROR a\nok\nER".utf8), Data("ROR b".utf8)]), .status(201)])
        #expect(try await tail(url, over: session) == 2)
        let film = FileManager.default.temporaryDirectory.appending(path: "errand-\(UUID().uuidString).mov")
        try Data("film".utf8).write(to: film)
        defer { try? FileManager.default.removeItem(at: film) }
        #expect(try await upload(film, to: url, over: session) == 201)
        #expect(session.recorded.last?.body == .file(film))
    }

    private var shop: CustomEnvironment<APIPath> { CustomEnvironment(name: "shop", baseURL: "https://shop.example") }

    @Test func `a film is saved to a file, or rejected by its status`() async throws {
        let parts = [Data("fi".utf8), Data("lm".utf8)]
        let session = ScriptedSession([
            .chunks(parts), .status(404),
        ])
        let loader = APILoader(FilmAPI(environment: shop), session: session)
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "film.mov")
        #expect(try await download("a film", to: file, with: loader) == 4)
        #expect(try Data(contentsOf: file) == Data("film".utf8))
        let error = await #expect(throws: ServiceError.self) { try await download("none", to: file, with: loader) }
        #expect(error?.status == 404 && session.recorded.first?.path == "/films/a%20film")
    }

    @Test func `an upload continues after an error`() async throws {
        let folder = try ScratchFolder()
        let video = try folder.file(Data("video".utf8), name: "video.mp4")
        let session = ScriptedSession([
            .status(201).header("Location", "/videos/7"), .status(204).header("Upload-Offset", "2"), .status(403),
            .status(200).header("Upload-Offset", "2"), .status(204).header("Upload-Offset", "5"),
        ])
        let loader = APILoader(VideoAPI(environment: shop), session: session)
        await #expect(throws: ServiceError.self) { try await upload(video, with: loader) { _ in } }
        var steps: [Double] = []
        let place = try await upload(video, with: loader) { steps.append($0) }
        #expect(place?.absoluteString == "https://shop.example/videos/7" && steps.last == 1)
        #expect(session.recorded.map(\.method) == [.post, .patch, .patch, .head, .patch])
    }

    @Test func `an upload that may be complete is looked up`() async throws {
        let folder = try ScratchFolder()
        let video = try folder.file(Data("video".utf8), name: "video.mp4")
        let session = ScriptedSession([
            .status(201).header("Location", "/videos/7"), .failure(URLError(.networkConnectionLost)), .status(404),
        ])
        let loader = APILoader(VideoAPI(environment: shop), session: session, time: InstantClock())
        let known = URL(string: "https://shop.example/videos/7")
        let found = try await uploadOnce(video, with: loader) { _ in known }
        #expect(found == known && session.recorded.map(\.method) == [.post, .patch, .head])
    }

    @Test func `rows are encoded while they are sent`() async throws {
        let server = try LoopbackServer { request in .text(String(decoding: request.body, as: UTF8.self)) }
        let local = CustomEnvironment<APIPath>(name: "local", baseURL: BaseURL(server.url))
        let rows = [Customer(id: "7", name: "Ada"), Customer(id: "8", name: "Bo")]
        let echo = try await APILoader(ImportAPI(environment: local)).load(rows)
        #expect(echo == #"{"id":"7","name":"Ada"}"# + "\n" + #"{"id":"8","name":"Bo"}"# + "\n")
        await server.stop()
    }

    @Test func `a picture and its title are uploaded as a form`() async throws {
        let server = try LoopbackServer { request in
            let form = String(decoding: request.body, as: UTF8.self).split(separator: "\r\n").filter {
                !$0.hasPrefix("--")
            }
            let type = request["Content-Type"]?.prefix { $0 != ";" } ?? ""
            let expected = [
                #"Content-Disposition: form-data; name="title""#, "Ada",
                #"Content-Disposition: form-data; name="picture"; filename="ada.png""#, "Content-Type: image/png",
                "PNG",
            ]
            return type == "multipart/form-data" && form == expected.map { $0[...] }
                ? .json(#"{"id":"7"}"#) : .status(400)
        }
        let folder = try ScratchFolder()
        let picture = try folder.file(Data("PNG".utf8), name: "ada.png")
        let local = CustomEnvironment<APIPath>(name: "local", baseURL: BaseURL(server.url))
        let receipt = try await APILoader(AvatarUpload(environment: local)).load(Avatar(title: "Ada", url: picture))
        #expect(receipt == Receipt(id: "7"))
        await server.stop()
    }

    @Test func `nested values are uploaded as fields`() async throws {
        let session = ScriptedSession([.json(#"{"id":"8"}"#)])
        let profile = Profile(user: Profile.User(name: "Ada", languages: ["en", "fr"]))
        let receipt = try await APILoader(ProfileUpload(environment: shop), session: session).load(profile)
        let sent = String(decoding: session.recorded.first?.body.data ?? Data(), as: UTF8.self)
        #expect(receipt.id == "8" && sent.matches(of: /name="user\[languages\]"/).count == 2)
        #expect(sent.contains("name=\"user[name]\"\r\n\r\nAda\r\n"))
    }

    @Test func `the fast decoder needs no loader`() throws {
        #expect(try photos(in: Data(#"[{"id":"a"}]"#.utf8)).map(\.id) == ["a"])
    }
}
