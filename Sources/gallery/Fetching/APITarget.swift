import Errand
import GalleryCore

/// The target of a command's requests: the environment, its access key and the session.
///
/// Without a base URL, the development environment is a server inside this process, which runs until the command ends.
/// Printed links must remain valid after that, so they lead to the server of `gallery serve`.
struct APITarget: Sendable {
    let environment: GalleryEnvironment
    let accessKey: Secret?
    /// The session for pictures, uploads and reports. It has no credentials. Each API call adds the key to its request.
    let session: any APISession
    /// The session for lists and photos, which uses the cache.
    let catalogue: any APISession
    private let store: (any CacheStore)?
    private let server: DevelopmentServer?
    /// The recorder of `--har`.
    private let recorder: FlightRecorder?
    private let limit: RequestLimit?
    /// Whether the environment is development and the options contain no base URL.
    let isOwn: Bool

    /// - Parameters:
    ///   - options: The options of the command.
    ///   - console: The console for the output of `--curl`, `--explain` and `--verbose`.
    ///   - linksAreServed: Whether links lead to the server of `gallery serve` instead of the one inside this process.
    /// - Throws: ``/Errand/ServiceError`` if the environment and the base URL do not match, or the server can't listen.
    private init(_ options: GalleryOptions, _ console: Console, linksAreServed: Bool) throws {
        isOwn = options.environment == .development && options.baseURL == nil
        let links = isOwn && linksAreServed ? options.serving.url : nil
        var cache = try CatalogueCache.open(options)
        // The commands of --curl also use the server of `gallery serve`.
        server = isOwn && !options.display.curl ? try Self.startServer(links: links, &cache) : nil
        store = cache.store
        if let note = cache.note, options.display.explain || options.display.verbose {
            try? console.error.write("gallery: no cache: \(note)\n")
        }
        let base = isOwn ? options.serving.url.map { BaseURL($0) } : options.baseURL
        environment =
            try server?.environment ?? GalleryEnvironment(named: options.environment.rawValue, at: base)
        // The bundled catalogue requires no key, so no key is sent.
        accessKey = isOwn ? nil : options.accessKey
        recorder = options.archive.map { _ in Self.makeRecorder() }
        let platform = try options.session.makeSession(
            connectionsPerOrigin: max(6, options.concurrency), usesProxies: !isOwn)
        // The recorder is the innermost interceptor, so it records the requests as they are sent.
        let transport = recorder.map { platform.intercepted(by: $0) } ?? platform
        let (outer, inner) = Self.output(options, console, accessKey)
        session = transport.intercepted(byAll: outer + inner)
        limit = options.display.curl ? nil : try RequestLimit(options.limit)
        // Responses with different links of the same server have different identities.
        let identity = links.map { Credentials.Identity("links to \($0)") }
        let layers: [(any Interceptor)?] = [
            IdentityInterceptor(identity), store.map { CacheInterceptor($0) }, limit?.interceptor,
        ]
        catalogue = transport.intercepted(byAll: outer + layers.compactMap(\.self) + inner)
    }

    /// Returns the interceptors that print requests, outside and inside the cache. `--explain` prints the decisions of
    /// the cache, the others only the requests that are sent.
    private static func output(
        _ options: GalleryOptions, _ console: Console, _ key: Secret?
    ) -> (outer: [any Interceptor], inner: [any Interceptor]) {
        if options.display.curl { return ([], [CommandInterceptor(console: console, key: key)]) }
        if options.display.explain {
            return ([ExplainInterceptor(console: console, key: key)], [AttemptInterceptor()])
        }
        return ([], options.display.verbose ? [VerboseInterceptor(console: console, key: key)] : [])
    }

    /// Starts the server inside this process. With a cache, its port is always the same, because each stored response
    /// belongs to a URL. If the port is not free, the cache is not used.
    private static func startServer(
        links: URL?, _ cache: inout (store: (any CacheStore)?, note: String?)
    ) throws(ServiceError) -> DevelopmentServer {
        var configuration = DevelopmentServer.Configuration()
        configuration.links = links
        if cache.store != nil {
            configuration.port = cachedPort
            do {
                return try DevelopmentServer(configuration)
            } catch {
                cache = (nil, "port \(cachedPort) is in use, perhaps by another gallery command")
                configuration.port = 0
            }
        }
        return try DevelopmentServer(configuration)
    }

    /// The port of the server inside this process if the cache is used: 28,080.
    private static let cachedPort = 28_080

    /// Removes the stored lists and photos of the API, because an upload has changed them.
    func removeStoredResponses() async {
        guard let store else { return }
        let origin = Origin(try? environment.baseURL.url(for: ""))
        // The upload is complete. A failure of the cache must not hide that.
        try? await store.remove { Origin($0) == origin }
    }

    /// Calls a function with a target. Afterwards, stops its server, and writes the file of `--har`.
    ///
    /// - Throws: The error of the function. ``/Errand/ServiceError`` if the environment and the base URL do not match,
    ///   if the server can't listen, or if the file can't be written.
    static func with<Value>(
        _ options: GalleryOptions, _ console: Console, linksAreServed: Bool = false,
        _ body: (APITarget) async throws -> Value
    ) async throws -> Value {
        let target = try APITarget(options, console, linksAreServed: linksAreServed)
        if let warning = await target.limit?.warning() { try? console.error.write("gallery: \(warning)\n") }
        let result: Result<Value, any Error>
        do { result = .success(try await body(target)) } catch { result = .failure(error) }
        await target.server?.stop()
        if let path = options.archive, let archive = target.recorder?.archive {
            do throws(ServiceError) {
                try archive.write(to: URL(filePath: path))
            } catch {
                // The error of the function is more important.
                if case .success = result { throw error }
                try? console.error.write("gallery: \(error.reason)\n")
            }
        }
        return try result.get()
    }

    /// Creates the recorder of `--har`: the last 1,000 requests, at most 64 MB in all and 1 MB of each body.
    private static func makeRecorder() -> FlightRecorder {
        FlightRecorder(entryLimit: 1_000, byteLimit: 64 << 20, bodyLimit: 1 << 20)
    }

    /// The note about the commands of `--curl` in the development environment.
    static let commandNote: String = #"run "gallery serve" first: these commands need it"#
    /// The note about printed links in the development environment.
    static let linkNote: String = #"run "gallery serve" to open these links"#
}
