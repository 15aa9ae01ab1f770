import Errand
import ErrandTesting
import GalleryCore
import TestSupport
import Testing

@Suite struct CallNameTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let load: @Sendable () async throws -> Void
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "photos") { _ = try await APILoader(GalleryAPI(environment: .production)).load(GalleryQuery()) },
        Row(name: "photos") {
            let feed = GalleryFeed(LossyCall(GalleryAPI(environment: .production)))
            for try await _ in feed.pages(from: GalleryQuery()) {}
        },
        Row(name: "photos") {
            let call = AnyAPIHandler(LossyCall(GalleryAPI(environment: .production)))
            _ = try await APILoader(call).load(GalleryQuery())
        },
        Row(name: "search") {
            let feed = GalleryFeed(LossyCall(SearchAPI(environment: .production)))
            for try await _ in feed.pages(from: SearchQuery("dog")) {}
        },
        Row(name: "user photos") {
            for try await _ in GalleryFeed(UserPhotosAPI(environment: .production)).pages(
                from: UserPhotosQuery(username: "eva"))
            {}
        },
        Row(name: "photo") { _ = try await APILoader(PhotoAPI(environment: .production)).load("p1") },
        Row(name: "upload") {
            let folder = try ScratchFolder()
            let picture = try PictureUpload(try folder.file(SamplePicture.png))
            defer { withExtendedLifetime(folder) {} }
            _ = try await APILoader(UploadAPI(environment: .development(at: "http://h.test"))).load(picture)
        },
        Row(name: "GET photos/{}") {
            let endpoint = Endpoint<[String]>(path: "photos/\("p1")")
            _ = try await APILoader(endpoint).load(GalleryEnvironment.production)
        },
    ]

    @Test(arguments: rows) func `messages name the API call without its wrappers`(row: Row) async throws {
        let error = await RealNetwork.forbidden {
            await #expect(throws: ServiceError.self) { try await row.load() }
        }
        #expect(error?.reason.hasPrefix("\(row.name) would reach the real network") == true, "\(error?.reason ?? "")")
    }

    @Test func `the error names an API call that fails to make its request`() async throws {
        let feed = GalleryFeed(LossyCall(PhotosOfNobody()), session: ScriptedSession([]))
        let error = await #expect(throws: ServiceError.self) {
            for try await _ in feed.pages(from: "") {}
        }
        #expect(error?.reason == "PhotosOfNobody: the handler could not make the request (URLError -1000)")
    }

    struct PhotosOfNobody: GalleryHandler {
        typealias ResponseDataType = [GalleryModel]
        let environment: GalleryEnvironment = .production
        let accessKey: Secret? = nil

        func makeRequest(from name: String) throws -> URLRequest { throw URLError(.badURL) }
    }
}
