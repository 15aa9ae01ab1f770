import Errand
import ErrandSupport
import GalleryCore
import TestSupport
import Testing

/// Tests uploads to the development server.
@Suite(.timeLimit(.minutes(1))) struct UploadIntegrationTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Runs a server during a test. The identifiers of the uploads are `u1`, `u2` and so on.
    private func withServer(
        _ change: (inout DevelopmentServer.Configuration) -> Void = { _ in },
        _ body: (DevelopmentServer) async throws -> Void
    ) async throws {
        var configuration = DevelopmentServer.Configuration()
        let count = Locked(0)
        configuration.makeIdentifier = {
            count.withLock { count in
                count += 1
                return "u\(count)"
            }
        }
        change(&configuration)
        try await DevelopmentServer.withServer(configuration, body)
    }

    private func upload(
        _ data: Data = SamplePicture.png, named name: String = "Misty Lake.png", description: String? = nil,
        to server: DevelopmentServer
    ) async throws -> GalleryModel {
        let upload = try PictureUpload(try folder.file(data, name: name), description: description)
        return try await APILoader(UploadAPI(environment: server.environment)).load(upload)
    }

    private func photos(_ server: DevelopmentServer, perPage: Int = 30) async throws -> [GalleryModel] {
        try await APILoader(GalleryAPI(environment: server.environment)).load(GalleryQuery(perPage: perPage))
    }

    @Test func `a form of another site is refused`() async throws {
        try await withServer { server in
            let request = UploadAPI(environment: server.environment)
            let upload = try PictureUpload(try folder.file(SamplePicture.png, name: "a.png"))
            var head = try request.makeRequest(from: upload)
            head.setValue("cross-site", forHTTPHeaderField: "Sec-Fetch-Site")
            let body = try #require(request.body(for: upload))
            let response = try await PlatformSession.platform.send(APIRequest(head: head, body: body))
            #expect(response.head.status == 403)
        }
    }

    @Test(arguments: PictureFormat.allCases)
    func `an uploaded picture is served unchanged with its type`(format: PictureFormat) async throws {
        try await withServer { server in
            let data = SamplePicture.data(format)
            let photo = try await upload(data, to: server)
            for url in [photo.urls.full, photo.links.download] {
                let response = try await PlatformSession.platform.send(APIRequest(URLRequest(url: url)))
                #expect(response.head.headers["Content-Type"] == "image/\(format.rawValue)")
                #expect(response.head.headers["ETag"] == "\"u1\"")
                #expect(response.head.headers["X-Content-Type-Options"] == "nosniff")
                #expect(try await response.body.collect(upTo: 1 << 20) == data)
            }
            #expect(photo.urls.full.path.hasSuffix("/u1.\(format.fileExtension)"))
        }
    }

    @Test func `uploads are listed first, newest first`() async throws {
        try await withServer { server in
            let first = try await upload(to: server)
            let second = try await upload(description: "A lake in the mist", to: server)
            #expect(first.title == "Misty Lake" && first.slug == "misty-lake-u1")
            #expect(second.title == "A lake in the mist")
            #expect(try await photos(server).prefix(2).map(\.id) == ["u2", "u1"])
            let found = try await APILoader(SearchAPI(environment: server.environment)).load(SearchQuery("mist lake"))
            #expect(found.results.prefix(2).map(\.id) == ["u2", "u1"])
        }
    }

    @Test func `each API call and page finds an uploaded picture`() async throws {
        try await withServer { server in
            let photo = try await upload(GalleryPictures.png(width: 3, height: 2), to: server)
            #expect(photo.width == 3 && photo.height == 2)
            #expect(try await APILoader(PhotoAPI(environment: server.environment)).load("u1").urls == photo.urls)
            let query = UserPhotosQuery(username: photo.user.username)
            let theirs = try await APILoader(UserPhotosAPI(environment: server.environment)).load(query)
            #expect(theirs.map(\.id) == ["u1"] && theirs.first?.user.totalPhotos == 1)
            let location = try #require(photo.links.downloadLocation)
            let download = try await APILoader(DownloadAPI(environment: server.environment)).load(location)
            #expect(download.url == photo.urls.full && server.downloads == ["u1": 1])
            for url in [photo.links.html, photo.user.links.html] {
                #expect(try await PlatformSession.platform.send(APIRequest(URLRequest(url: url))).head.status == 200)
            }
        }
    }

    @Test func `the oldest upload is removed after 20`() async throws {
        try await withServer { server in
            for _ in 1...21 { _ = try await upload(to: server) }
            let ids = try await photos(server).prefix(21).map(\.id)
            #expect(ids.prefix(20) == (2...21).reversed().map { "u\($0)" }[...])
            #expect(ids.last?.hasPrefix("u") == false)
            let old = server.url.target("/pictures/u1.png")
            #expect(try await PlatformSession.platform.send(APIRequest(URLRequest(url: old))).head.status == 404)
        }
    }

    @Test func `the progress of an upload ends with its size`() async throws {
        try await withServer { server in
            let upload = try PictureUpload(try folder.file(SamplePicture.png + Data(count: 3_000_000)))
            var last: TransferProgress?
            var photo: GalleryModel?
            for try await event in APILoader(UploadAPI(environment: server.environment)).upload(upload) {
                switch event {
                case .progress(let progress): last = progress
                case .finished(let value): photo = value
                }
            }
            #expect(last?.completed == last?.total && (last?.completed ?? 0) > upload.bytes && photo?.id == "u1")
        }
    }

    @Test func `an upload requires the key and counts as an API call`() async throws {
        let change: (inout DevelopmentServer.Configuration) -> Void = {
            $0.accessKey = Secret("right")
            $0.rateLimit = 1
        }
        try await withServer(change) { server in
            let picture = try PictureUpload(try folder.file(SamplePicture.png))
            let refused = await APILoader(UploadAPI(environment: server.environment)).failure(picture)
            #expect(refused?.status == 401)
            let loader = APILoader(UploadAPI(environment: server.environment, accessKey: Secret("right")))
            #expect(try await loader.response(picture).head.status == 201)
            #expect(await loader.failure(picture)?.status == 403)
        }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let status: Int
        let message: String
        let body: RequestBody
        var testDescription: String { message }

        init(_ status: Int, _ message: String, _ parts: MultipartBody.Part...) {
            (self.status, self.message, body) = (status, message, .multipart(MultipartBody(parts)))
        }

        init(_ status: Int, _ message: String, body: RequestBody) {
            (self.status, self.message, self.body) = (status, message, body)
        }
    }

    private static let picture = MultipartBody.Part.data(SamplePicture.png, name: "picture", fileName: "a.png")
    private static let wantedPicture = "expected one form field picture with a file"
    private static let wantedDescription = "expected one description in UTF-8 of at most 2000 bytes"

    @Test(arguments: [
        Refused(400, "expected a valid multipart/form-data body", body: .data(SamplePicture.png)),
        Refused(400, "expected a valid multipart/form-data body", body: .none),
        Refused(400, "unknown form field: expected picture and description", picture, .field("x", name: "title")),
        Refused(400, wantedPicture, .field("x", name: "description")),
        Refused(400, wantedPicture, picture, picture),
        Refused(400, wantedPicture, .data(SamplePicture.png, name: "picture")),
        Refused(
            400, "the file name is empty or longer than 255 bytes",
            .data(SamplePicture.png, name: "picture", fileName: "")),
        Refused(
            400, "the file name is empty or longer than 255 bytes",
            .data(SamplePicture.png, name: "picture", fileName: String(repeating: "é", count: 128))),
        Refused(400, wantedDescription, picture, .field("x", name: "description"), .field("y", name: "description")),
        Refused(400, wantedDescription, picture, .data(Data([0xFF]), name: "description")),
        Refused(400, wantedDescription, picture, .field(String(repeating: "x", count: 2_001), name: "description")),
        Refused(
            415, "the file is not a PNG, JPEG, WebP, GIF or AVIF picture",
            .data(Data("<svg/>".utf8), name: "picture", fileName: "a.png", contentType: "image/png")),
        Refused(
            415, "the file is not a PNG, JPEG, WebP, GIF or AVIF picture",
            .data(Data(), name: "picture", fileName: "a.png")),
        Refused(
            413, "the picture is larger than 20000000 bytes",
            .data(SamplePicture.png + Data(count: 20_000_000), name: "picture", fileName: "a.png")),
    ])
    func `an invalid form is refused and nothing is stored`(row: Refused) async throws {
        try await withServer { server in
            var request = URLRequest(url: server.url.target("/photos"))
            request.httpMethod = "POST"
            let refused = APIRequest(head: request, body: row.body, options: RequestOptions())
            let response = try await PlatformSession.platform.send(refused)
            #expect(response.head.status == row.status)
            let body = try await response.body.collect(upTo: 1 << 20)
            #expect(try JSONDecoder().decode(UnsplashError.self, from: body).errors == [row.message])
            #expect(try await photos(server, perPage: 1).first?.id.hasPrefix("u") == false)
        }
    }

    @Test(arguments: [
        ("a\"b.png", "a\"b"), (".png", ".png"), ("<script>.png", "<script>"), ("霧.tar.png", "霧.tar"),
    ])
    func `the title of a picture is its file name`(name: String, title: String) async throws {
        try await withServer { server in
            let photo = try await upload(named: name, to: server)
            #expect(photo.title == title)
            let page = try await PlatformSession.platform.send(APIRequest(URLRequest(url: photo.links.html)))
            let html = String(decoding: try await page.body.collect(upTo: 1 << 20), as: UTF8.self)
            #expect(page.head.status == 200 && !html.contains("<script>"))
        }
    }
}

/// Pictures with a size.
enum GalleryPictures {
    /// Returns the start of a PNG.
    static func png(width: UInt8, height: UInt8) -> Data {
        SamplePicture.png.prefix(8) + Data([0, 0, 0, 13]) + Data("IHDR".utf8)
            + Data([0, 0, 0, width, 0, 0, 0, height]) + Data(count: 16)
    }
}
