public import Errand
internal import ErrandLoopback

/// A local server for the gallery's API: an HTTP server on 127.0.0.1 that serves bundled pictures.
///
/// It requires no network, no key and no files, because the pictures are part of the binary.
/// ```swift
/// let server = try DevelopmentServer()
/// let photos = try await APILoader(GalleryAPI(environment: server.environment)).load(GalleryQuery(perPage: 30))
/// await server.stop()
/// ```
/// It serves `/photos`, `/photos/{id}`, `/photos/random`, `/photos/{id}/download`, `/search/photos`,
/// `/users/{username}`, `/users/{username}/photos` and the pictures, with the statuses, the paging links and the
/// rate-limit headers of Unsplash, and web pages of the photos and users. Every link in its responses is served. The
/// server runs until ``stop()`` is called or its last reference is released.
///
/// Lists, photos and users have an `ETag`, and a matching `If-None-Match` results in status 304. A cache validates the
/// first page of a list for each use, and uses the other pages for a minute.
///
/// It also accepts pictures of at most 20 MB (``UploadAPI``), which it serves like the bundled ones, before them in each
/// list. It keeps them in memory: at most 20 pictures and 64 MB in all. A new picture replaces the oldest ones. The
/// width and height of an AVIF picture are 0, because the server does not parse this format.
public final class DevelopmentServer: Sendable {
    /// The configuration of a server.
    public struct Configuration: Sendable {
        /// The port. If 0 (the default), the system chooses a free port.
        public var port: Int = 0
        /// The access key that each API call must send. If `nil` (the default), no key is required.
        public var accessKey: Secret?
        /// The number of API calls per hour that succeed. The default is 5,000. Pictures do not count.
        public var rateLimit: Int = 5_000
        /// The time source of the hourly limit.
        public var time: any TimeSource = .system
        /// The URL that links to photos, users and pictures begin with. Defaults to the server's own URL.
        package var links: URL?
        /// Chooses the index of a random photo among the remaining photos.
        public var chooseIndex: @Sendable (Range<Int>) -> Int = { Int.random(in: $0) }

        /// Creates the identifier of an uploaded picture. The default is 11 random letters and digits, so that a server
        /// does not give the identifier of an earlier run to another picture.
        package var makeIdentifier: @Sendable () -> String = {
            String((0..<11).compactMap { _ in Self.identifierCharacters.randomElement() })
        }
        private static let identifierCharacters =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

        /// Creates the default configuration.
        public init() {}
    }

    /// The URL of the server: `http://127.0.0.1:` and the port.
    public let url: URL
    private let server: LoopbackServer
    private let service: CatalogueService

    /// Starts a server.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` if the port is not
    ///   available.
    public init(_ configuration: Configuration = Configuration()) throws(ServiceError) {
        let service = CatalogueService(try .bundled(), configuration)
        do {
            server = try LoopbackServer(port: configuration.port) { service.reply(to: $0) }
        } catch {
            throw ServiceError(.configuration, "the development server can't listen on the port", underlying: error)
        }
        url = server.url
        self.service = service
        service.settle(at: server.url)
    }

    /// The environment for API calls to this server.
    public var environment: GalleryEnvironment { .development(at: BaseURL(url)) }

    /// The number of ``DownloadAPI`` calls for each photo, keyed by identifier.
    public var downloads: [String: Int] { service.downloads }

    /// Stops the server. When this method returns, its sockets are closed and its thread has ended.
    public func stop() async {
        await server.stop()
    }

    /// Runs a server while a closure runs, and stops it when the closure returns or throws.
    package static func withServer<Result>(
        _ configuration: Configuration = Configuration(), _ body: (DevelopmentServer) async throws -> Result
    ) async throws -> Result {
        let server = try DevelopmentServer(configuration)
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }
}
