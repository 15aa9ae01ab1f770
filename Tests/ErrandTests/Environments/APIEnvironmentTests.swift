import Errand
import Testing

@Suite struct APIEnvironmentTests {
    @Test func `two APIs coexist in one module`() throws {
        let photo = try GalleryEnvironment.production.url(for: .photo(id: "a/b"))
        let token = try AccountsEnvironment.production.url(for: "token?grant=code")
        #expect(photo.absoluteString == "https://api.gallery.example/v2/photos/a%2Fb")
        #expect(token.absoluteString == "https://accounts.example/oauth/token?tenant=main&grant=code")
    }

    @Test(arguments: [
        (GalleryEnvironment.development, "http://[::1]:8080/photos"),
        (.staging, "https://api.staging.gallery.example:8443/v2/photos"),
        (.production, "https://api.gallery.example/v2/photos"),
    ])
    func `each environment has its own base URL`(environment: GalleryEnvironment, url: String) throws {
        #expect(try environment.url(for: .photos).absoluteString == url)
    }

    @Test func `optional path variables without a value are omitted`() throws {
        let first = try GalleryEnvironment.production.url(for: .userPhotos(username: "Zoë"))
        let second = try GalleryEnvironment.production.url(for: .userPhotos(username: "Zoë", page: 2))
        #expect(first.absoluteString == "https://api.gallery.example/v2/users/Zo%C3%AB/photos")
        #expect(second.absoluteString == "https://api.gallery.example/v2/users/Zo%C3%AB/photos?page=2")
    }

    @Test func `an environment of any API builds URLs from its base URL`() throws {
        let environments: [any APIEnvironment] = [GalleryEnvironment.staging, AccountsEnvironment.staging]
        #expect(environments.map(\.name) == ["staging", "staging"])
        #expect(
            try environments.map { try $0.baseURL.url(for: "photos?x=1").absoluteString } == [
                "https://api.staging.gallery.example:8443/v2/photos?x=1",
                "https://accounts.staging.example/photos?x=1",
            ])
    }

    @Test func `an environment with a known path type accepts its paths`() throws {
        let gallery: any APIEnvironment<GalleryPath> = GalleryEnvironment.production
        let other: any APIEnvironment<APIPath> = LocalEnvironment(baseURL: "http://127.0.0.1:1")
        #expect(try gallery.url(for: .photos).absoluteString == "https://api.gallery.example/v2/photos")
        #expect(try other.url(for: "x").absoluteString == "http://127.0.0.1:1/x")
    }

    @Test func `an environment is found by its name`() throws {
        #expect(try GalleryEnvironment(named: "staging") == .staging)
        #expect(GalleryEnvironment.staging.name == "staging")
    }

    @Test(arguments: ["", "Staging", "producton", " staging"])
    func `the error for an unknown name lists the known names`(name: String) throws {
        let error = try #require(throws: ServiceError.self) { try GalleryEnvironment(named: name) }
        #expect(error.code == .configuration)
        #expect(
            error.reason == "unknown GalleryEnvironment '\(name)': expected one of development, staging, production")
    }

    @Test func `default headers are empty unless defined`() {
        #expect(AccountsEnvironment.staging.defaultHeaders.isEmpty)
        #expect(GalleryEnvironment.staging.defaultHeaders["accept-version"] == "v2")
    }
}
