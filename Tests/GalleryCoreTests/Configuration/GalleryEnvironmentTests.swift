import Errand
import GalleryCore
import Testing

@Suite struct GalleryEnvironmentTests {
    @Test(
        arguments: [
            ("development", "http://127.0.0.1:8080", .development(at: "http://127.0.0.1:8080")),
            ("staging", "https://gallery.example/v2", .staging(at: "https://gallery.example/v2")),
            ("production", nil, .production),
        ] as [(String, BaseURL?, GalleryEnvironment)])
    func `a name selects an environment`(name: String, url: BaseURL?, environment: GalleryEnvironment) throws {
        let chosen = try GalleryEnvironment(named: name, at: url)
        #expect(chosen == environment && chosen.name == name)
        #expect(GalleryEnvironment.names.contains(name))
    }

    @Test(
        arguments: [
            ("live", nil, "unknown environment name: expected one of development, staging, production"),
            ("", nil, "unknown environment name: expected one of development, staging, production"),
            (
                "Staging", "https://x.example",
                "unknown environment name: expected one of development, staging, production"
            ),
            ("staging", nil, "the environment staging requires a base URL"),
            ("development", nil, "the environment development requires a base URL"),
            ("production", "https://x.example", "production has a fixed URL: omit the base URL"),
            ("staging", "ftp://x.example", "scheme"),
        ] as [(String, BaseURL?, String)])
    func `an invalid name or base URL is rejected`(name: String, url: BaseURL?, reason: String) throws {
        let error = try #require(throws: ServiceError.self) { try GalleryEnvironment(named: name, at: url) }
        #expect(error.code == .configuration && error.reason.contains(reason))
    }

    @Test(
        arguments: [
            (.photos, "https://api.unsplash.com/photos"),
            (.photo(id: "a/b?c"), "https://api.unsplash.com/photos/a%2Fb%3Fc"),
            (.randomPhoto, "https://api.unsplash.com/photos/random"),
            (.searchPhotos, "https://api.unsplash.com/search/photos"),
            (.userPhotos(username: "zoë"), "https://api.unsplash.com/users/zo%C3%AB/photos"),
        ] as [(GalleryPath, String)])
    func `each path has its URL`(path: GalleryPath, url: String) throws {
        #expect(try GalleryEnvironment.production.url(for: path).absoluteString == url)
    }

    @Test(arguments: [GalleryPath.photo(id: ""), .photo(id: ".."), .userPhotos(username: "")])
    func `a value that would change the path is rejected`(path: GalleryPath) throws {
        let error = try #require(throws: ServiceError.self) { try GalleryEnvironment.production.url(for: path) }
        #expect(error.code == .configuration)
    }
}
