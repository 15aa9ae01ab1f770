#if os(Linux)
    extension CurlSession {
        /// The settings of a session.
        ///
        /// ```swift
        /// var configuration = CurlSession.Configuration()
        /// configuration.tls.authorities = .file(URL(filePath: "/etc/our-ca.pem"))
        /// configuration.proxy = .none
        /// let session = CurlSession(configuration)
        /// ```
        public struct Configuration: Sendable {
            /// The maximum number of connections to one origin (scheme, host and port), at least 1. The default is 64.
            /// Further requests wait in order. An HTTP/2 connection carries 100 requests. It carries up to 256 if its server
            /// allows them and other connections may be opened.
            public var connectionsPerOrigin: Int = 64
            /// The maximum number of all connections, at least 1. The default is 512. Waiting origins take turns.
            public var connections: Int = 512
            /// The maximum time to open a connection, including name lookup and TLS handshake. The default is 30
            /// seconds. When it passes, the error is ``ServiceError/Code/connection``, because nothing was sent.
            public var connectTimeout: Duration = .seconds(30)
            /// The maximum size of the header section, and of the trailer section, in bytes. The default is 64 kB.
            public var headerLimit: Int = 65_536
            /// The maximum size of a decoded body, as a multiple of its compressed size. The default is 200. It
            /// applies to bodies of more than 1 MB. A larger body is an error with ``ServiceError/Code/bodyTooLarge``.
            public var expansionLimit: Int = 200
            /// Whether HTTP/2 is offered to https servers. The default is false.
            ///
            /// Over HTTP/2, libcurl reports success for a response that the server ends early with
            /// `RST_STREAM(NO_ERROR)` (RFC 9113, section 8.1), and before 8.1 also after most connection errors. A
            /// response over HTTP/2 is therefore accepted only if its completeness can be proved: by its
            /// `Content-Length`, by the end of the content coding `br` or `deflate`, which are then the only ones that
            /// are asked for, or because it has no body (`HEAD`, 204, 304). Any other response is an error with
            /// ``ServiceError/Code/badResponse``. Over HTTP/1.1 the framing itself is the proof (RFC 9112, section 8),
            /// so HTTP/1.1 is the default.
            ///
            /// A body over HTTP/1.1 without `Content-Length` and `Transfer-Encoding: chunked` ends with its
            /// connection. Over TLS it is complete if the server ends the connection with a close_notify alert
            /// (section 9.8). Some versions of libcurl do not report a missing alert, such as those of Debian 12 and
            /// Ubuntu 24.04. With them such a body is also an error with ``ServiceError/Code/badResponse``, unless it
            /// ends with the coding `br` or `deflate`.
            ///
            /// Streamed bodies always use HTTP/1.1. Each has its own connection, which does not count against
            /// ``connections``, so a slow reader delays no other request.
            public var offersHTTP2: Bool = false
            /// The store for cookies. If `nil` (the default), the session neither keeps nor sends cookies. Each
            /// request has the cookies of its URL, also after a redirect, by the rules of ``CookieInterceptor``.
            public var cookies: (any CookieInterceptor.Store)?
            /// The TLS settings: certificate authorities, pinned keys and the client certificate.
            public var tls: TLS = TLS()
            /// The proxy of all connections. The default is ``Proxy/environment``.
            public var proxy: Proxy = .environment
            /// The path of a Unix domain socket for all connections, regardless of the URL. The default is `nil`. With
            /// a socket, each request has its own connection.
            public var unixSocket: String?
            /// The network addresses to connect to instead of the hosts of URLs: `["api.example.com": "127.0.0.1"]`,
            /// or `"127.0.0.1:8443"` with a port. Brackets enclose an IPv6 address. The `Host` header and TLS keep the
            /// name.
            public var addresses: [String: String] = [:]

            /// Creates the default settings.
            public init() {}
        }

        /// The TLS settings of a session: the servers that it trusts, and the certificate that it presents.
        public struct TLS: Sendable {
            /// A set of certificate authorities that may sign a server's certificate.
            public enum Authorities: Sendable, Hashable {
                /// The authorities of the system.
                case system
                /// Only the authorities of a PEM file.
                case file(URL)
                /// Only the authorities of a PEM text. Requires libcurl 7.77 or later. With 7.76 each request fails
                /// with ``ServiceError/Code/configuration``.
                case pem(String)
            }

            /// A minimum version of TLS.
            public enum Version: Sendable, Hashable {
                /// TLS 1.2 (RFC 5246).
                case tls12
                /// TLS 1.3 (RFC 8446).
                case tls13
            }

            /// The authorities that may sign a server's certificate. The default is ``Authorities/system``.
            public var authorities: Authorities = .system
            /// The SHA-256 digests of the public keys (SubjectPublicKeyInfo) that the server may have. If empty (the
            /// default), no key is pinned. The server's certificate must also be signed by one of the ``authorities``.
            ///
            /// A digest is written in base64, with or without curl's prefix `sha256//`. Each request fails with
            /// ``ServiceError/Code/configuration`` if a pin has another form.
            public var pinnedKeys: [String] = []
            /// The minimum version of TLS. The default is TLS 1.2.
            public var minimumVersion: Version = .tls12
            /// The client certificate, a PEM file. The default is `nil`.
            public var certificate: URL?
            /// The private key of ``certificate``, a PEM file. If `nil` (the default), it is in the same file.
            public var key: URL?
            /// The password of ``key``.
            public var keyPassword: Secret?

            /// Creates the default settings.
            public init() {}
        }

        /// The proxy that a session uses.
        public enum Proxy: Sendable, Hashable {
            /// The proxies of the environment variables `http_proxy` (lower case only), `https_proxy` and `all_proxy`,
            /// except for the hosts in `no_proxy`. Requests to `localhost`, 127.0.0.0/8 and `::1` use no proxy.
            case environment
            /// Direct connections, even if the environment names a proxy.
            case none
            /// A proxy with an `http://`, `https://`, `socks5://` or `socks5h://` URL. The excepted hosts and their
            /// subdomains are reached directly.
            case through(URL, except: [String] = [])
        }
    }

    extension CurlSession.Proxy: CustomStringConvertible, CustomReflectable {
        /// A description without secrets. A proxy URL may contain a password.
        public var description: String {
            switch self {
            case .environment: "environment"
            case .none: "none"
            case .through(let url, let hosts): "\(Redaction.standard.url(url)) except \(hosts)"
            }
        }

        /// A mirror that contains only the ``description``.
        public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .enum) }
    }
#endif
