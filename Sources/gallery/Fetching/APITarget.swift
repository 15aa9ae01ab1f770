import Errand
import GalleryCore

/// The target of a command's requests: the environment, its access key and the session.
///
/// Without a base URL, the development environment is a server inside this process, which runs until ``close()``.
/// Printed links must remain valid after that, so they lead to the server of `gallery serve`.
struct APITarget: Sendable {
    let environment: GalleryEnvironment
    let accessKey: Secret?
    /// The session without credentials. Each API call adds the key to its request.
    let session: any APISession
    private let server: DevelopmentServer?
    /// Whether the environment is development and the options contain no base URL.
    let isOwn: Bool

    /// - Parameters:
    ///   - options: The options of the command.
    ///   - console: The console for the output of `--curl`, `--explain` and `--verbose`.
    ///   - linksAreServed: Whether links lead to the server of `gallery serve` instead of the one inside this process.
    /// - Throws: ``/Errand/ServiceError`` if the environment and the base URL do not match, or the server can't listen.
    init(_ options: GalleryOptions, _ console: Console, linksAreServed: Bool = false) throws {
        isOwn = options.environment == .development && options.baseURL == nil
        var configuration = DevelopmentServer.Configuration()
        if linksAreServed { configuration.links = options.serving.url }
        // The commands of --curl also use the server of `gallery serve`.
        let server = isOwn && !options.display.curl ? try DevelopmentServer(configuration) : nil
        let base = isOwn ? options.serving.url.map { BaseURL($0) } : options.baseURL
        environment =
            try server?.environment ?? GalleryEnvironment(named: options.environment.rawValue, at: base)
        // The bundled catalogue requires no key, so no key is sent.
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

    /// Stops the server inside this process, if any.
    func close() async {
        await server?.stop()
    }

    /// The note about the commands of `--curl` in the development environment.
    static let commandNote: String = #"run "gallery serve" first: these commands need it"#
    /// The note about printed links in the development environment.
    static let linkNote: String = #"run "gallery serve" to open these links"#
}
