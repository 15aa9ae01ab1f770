public import Errand
import ErrandSupport

extension ValkeyClient {
    /// The server and the account of a client.
    ///
    /// ```swift
    /// var configuration = ValkeyClient.Configuration(host: "valkey.internal")
    /// configuration.user = "worker"
    /// configuration.password = Secret(password)
    /// configuration.tls = ValkeyClient.TLS()
    /// let client = ValkeyClient(configuration)
    /// ```
    public struct Configuration: Sendable {
        /// The host name or the IP address of the server.
        public var host: String
        /// The TCP port of the server, from 1 to 65535. The default is 6379.
        public var port: Int
        /// The name of the ACL user (Redis 6 or later). If `nil` (the default), the server uses its default user. Without a
        /// ``password``, the client sends an empty one, which the server accepts only for a user with `nopass`.
        public var user: String?
        /// The password. If the password and ``user`` are `nil` (the default), the client does not authenticate.
        public var password: Secret?
        /// The number of the database, at least 0. The default is 0.
        public var database: Int = 0
        /// The TLS settings. If `nil` (the default), the connection is not encrypted. The password and all values are then
        /// readable on the network.
        public var tls: TLS?
        /// The maximum time to establish a connection. The default is 2 seconds.
        public var connectTimeout: Duration = .seconds(2)
        /// The maximum time for a command, including the time to connect. The default is 5 seconds. If the server sends nothing
        /// during this time, the client closes the connection.
        public var timeout: Duration = .seconds(5)

        /// Creates the settings for a server without TLS and password.
        public init(host: String, port: Int = 6_379) {
            (self.host, self.port) = (host, port)
        }

        /// Creates settings from a URL of the form `redis://user@host:port/database`. The scheme is `redis` or `valkey`, or
        /// `rediss` or `valkeys` for TLS.
        ///
        /// - Parameters:
        ///   - url: The URL, without a password, because URLs appear in logs and in lists of processes.
        ///   - password: The password.
        /// - Throws: ``/Errand/ServiceError`` with ``/Errand/ServiceError/Code/configuration`` if the URL has another form.
        public init(_ url: URL, password: Secret? = nil) throws(ServiceError) {
            let schemes = ["redis": false, "valkey": false, "rediss": true, "valkeys": true]
            guard let usesTLS = schemes[url.scheme?.lowercased() ?? ""], let host = url.host(percentEncoded: false),
                !host.isEmpty, url.query() == nil, url.fragment() == nil
            else { throw Self.unknownForm }
            guard url.password() == nil else { throw Self.invalid("expected a URL without a password") }
            let user = url.user(percentEncoded: false)
            guard url.user(percentEncoded: true) == nil || user?.isEmpty == false else { throw Self.unknownForm }
            let path = url.path().split(separator: "/", omittingEmptySubsequences: true)
            guard path.count <= 1, let database = path.first.map({ Int($0) }) ?? 0, database >= 0 else {
                throw Self.invalid("expected the number of a database as the path")
            }
            self.init(host: host, port: url.port ?? 6_379)
            (self.user, self.password, self.database) = (user, password, database)
            if usesTLS { tls = TLS() }
        }

        private static var unknownForm: ServiceError {
            invalid("expected redis://HOST:PORT or, with more parts, rediss://USER@HOST:PORT/DATABASE")
        }

        private static func invalid(_ reason: String) -> ServiceError {
            ServiceError(.configuration, "invalid server URL: \(reason)")
        }
    }

    /// The TLS settings of a client. The server's certificate must contain its host name.
    public struct TLS: Sendable, Hashable {
        /// A PEM file with the certificate authorities to trust instead of those of the system. If `nil` (the default), the
        /// authorities of the system are trusted. On Apple platforms, another value is an error.
        public var authorities: URL?
        /// The client certificate, a PEM file. The default is `nil`. On Apple platforms, another value is an error.
        public var certificate: URL?
        /// The private key of ``certificate``, a PEM file. If `nil` (the default), it is in the same file.
        public var key: URL?
        /// The password of ``key``.
        public var keyPassword: Secret?

        /// Creates the default settings.
        public init() {}
    }
}

extension ValkeyClient.Configuration {
    var peer: ByteConnectionPeer {
        let settings = tls.map { tls in
            var settings = ByteConnectionPeer.TLS()
            (settings.authorities, settings.certificate, settings.key) = (tls.authorities, tls.certificate, tls.key)
            settings.keyPassword = tls.keyPassword
            return settings
        }
        return ByteConnectionPeer(host: host, port: port, tls: settings, connectTimeout: connectTimeout)
    }

    /// The commands that begin each connection.
    var setup: [RESPCommand] {
        var commands: [RESPCommand] = []
        if user != nil || password != nil {
            let words = ["AUTH"] + [user].compactMap(\.self) + [password?.reveal() ?? ""]
            commands.append(RESPCommand(words.map { Data($0.utf8) }))
        }
        if database > 0 { commands.append(RESPCommand("SELECT", "\(database)")) }
        return commands
    }
}
