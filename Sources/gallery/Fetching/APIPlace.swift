import Errand
import GalleryCore

/// Where a run's requests go: the environment, the key for its API, and the session.
///
/// Without a URL, development is a server inside this process, which runs until ``close()``. The links that are
/// printed must outlive it, so they lead to the server of `gallery serve`.
struct APIPlace: Sendable {
    let environment: GalleryEnvironment
    let accessKey: Secret?
    /// Carries no credentials: each call to the API adds the key to its own request.
    let session: any APISession
    private let server: DevelopmentServer?
    /// Whether it is the development environment and the user gave no URL.
    let isOwn: Bool

    /// - Parameters:
    ///   - options: The options of the command.
    ///   - console: Prints the output of `--curl`, `--explain` and `--verbose`.
    ///   - linksAreServed: Whether links lead to the server of `gallery serve`, and not to the one inside this process.
    /// - Throws: ``/Errand/ServiceError`` if the environment and the URL do not fit, or the server cannot listen.
    init(_ options: GalleryOptions, _ console: Console, linksAreServed: Bool = false) throws {
        isOwn = options.environment == .development && options.baseURL == nil
        var configuration = DevelopmentServer.Configuration()
        if linksAreServed { configuration.links = options.serving.url }
        // Commands of --curl are for the server of `gallery serve`, too.
        let server = isOwn && !options.display.curl ? try DevelopmentServer(configuration) : nil
        let base = isOwn ? options.serving.url.map { BaseURL($0) } : options.baseURL
        environment =
            try server?.environment ?? GalleryEnvironment(named: options.environment.rawValue, at: base)
        // The catalogue inside asks for no key, so none is sent.
        accessKey = isOwn ? nil : options.accessKey
        let transport = try options.session.makeSession(
            connectionsPerOrigin: max(6, options.concurrency), usesProxies: !isOwn)
        if options.display.curl {
            session = transport.intercepted(by: CommandInterceptor(console: console, key: accessKey))
        } else if options.display.explain {
            session = transport.intercepted(by: ExplainInterceptor(console: console, key: accessKey))
        } else if options.display.verbose {
            session = transport.intercepted(by: VerboseInterceptor(console: console, key: accessKey))
        } else {
            session = transport
        }
        self.server = server
    }

    /// Stops the server inside this process, where there is one.
    func close() async {
        await server?.stop()
    }

    /// How to make the commands of `--curl` work in the development environment.
    static let commandNote: String = #"run "gallery serve" first: these commands need it"#
    /// How to make printed links work in the development environment.
    static let linkNote: String = #"run "gallery serve" to open these links"#
}
