public import Errand
internal import ErrandLoopback

/// The gallery's API on this machine: a real HTTP server on 127.0.0.1 that serves pictures bundled with the program.
///
/// It needs no network, no key and no file: the pictures are part of the binary.
/// ```swift
/// let server = try DevelopmentServer()
/// let photos = try await APILoader(GalleryAPI(environment: server.environment)).load(GalleryQuery(perPage: 30))
/// await server.stop()
/// ```
/// It serves `/photos`, `/photos/{id}`, `/photos/random`, `/photos/{id}/download`, `/search/photos`,
/// `/users/{username}`, `/users/{username}/photos` and the pictures, with the statuses, the paging links and the
/// rate-limit headers of Unsplash, and web pages of the photos and users. Every link in its responses is served. It
/// runs until ``stop()``, or until its last reference is gone.
public final class DevelopmentServer: Sendable {
    /// How the server behaves.
    public struct Configuration: Sendable {
        /// The port; the system's choice where it is 0.
        public var port: Int = 0
        /// The key that each call must carry; none is asked for where nil.
        public var accessKey: Secret?
        /// How many calls an hour are answered; pictures do not count.
        public var rateLimit: Int = 5_000
        /// What the hour is measured on.
        public var time: any TimeSource = .system
        /// The URL that links to photos, users and pictures begin with. Defaults to the server's own URL.
        package var links: URL?
        /// Chooses the random photo among those that are left.
        public var chooseIndex: @Sendable (Range<Int>) -> Int = { Int.random(in: $0) }

        /// Makes the default configuration.
        public init() {}
    }

    /// Where the server is: `http://127.0.0.1:` and its port.
    public let url: URL
    private let server: LoopbackServer
    private let service: CatalogueService

    /// Starts a server.
    ///
    /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` where the port can't be had.
    public init(_ configuration: Configuration = Configuration()) throws(ServiceError) {
        let service = CatalogueService(try .bundled(), configuration)
        do {
            server = try LoopbackServer(port: configuration.port) { service.reply(to: $0) }
        } catch {
            throw ServiceError(.configuration, "the development server can't listen", underlying: error)
        }
        url = server.url
        self.service = service
        service.settle(at: server.url)
    }

    /// The environment for calls to this server.
    public var environment: GalleryEnvironment { .development(at: BaseURL(url)) }

    /// How often each photo was asked for with ``DownloadAPI``, by its identifier.
    public var downloads: [String: Int] { service.downloads }

    /// Stops the server: when it returns, its sockets and its thread are gone.
    public func stop() async {
        await server.stop()
    }
}
