import Errand
import GalleryCore

/// Where a run's requests go: the environment, the key for its API, and the session.
///
/// Without an address, development is a server inside this process, which runs until ``close()``.
struct APIPlace: Sendable {
    let environment: GalleryEnvironment
    let accessKey: Secret?
    /// Carries no credentials: each call to the API adds the key to its own request.
    let session: any APISession
    private let server: DevelopmentServer?
    /// Whether it is the server inside this process.
    var isOwn: Bool { server != nil }

    init(_ options: GalleryOptions, _ console: Console) throws {
        let isOwn = options.environment == .development && options.baseURL == nil
        let server = isOwn ? try DevelopmentServer() : nil
        environment =
            try server?.environment
            ?? GalleryEnvironment(named: options.environment.rawValue, at: options.baseURL)
        // The catalogue inside asks for no key, so none is sent.
        accessKey = isOwn ? nil : options.accessKey
        let transport = try options.session.makeSession(
            connectionsPerOrigin: max(6, options.concurrency), usesProxies: !isOwn)
        if options.display.curl {
            session = transport.intercepted(by: CommandLayer(console: console, key: accessKey))
        } else if options.display.explain {
            session = transport.intercepted(by: ExplainLayer(console: console, key: accessKey))
        } else if options.display.verbose {
            session = transport.intercepted(by: VerboseLayer(console: console, key: accessKey))
        } else {
            session = transport
        }
        self.server = server
    }

    /// Stops the server inside this process, where there is one.
    func close() async {
        await server?.stop()
    }
}
