#if os(Linux)
    extension CurlSession {
        /// What a session does for all its requests.
        ///
        /// ```swift
        /// var configuration = CurlSession.Configuration()
        /// configuration.tls.authorities = .file(URL(filePath: "/etc/our-ca.pem"))
        /// configuration.proxy = .none
        /// let session = CurlSession(configuration)
        /// ```
        public struct Configuration: Sendable {
            /// The most connections to one origin (scheme, host and port), at least 1; 64 by default. More requests wait
            /// in their order. An HTTP/2 connection carries 100 requests.
            public var connectionsPerOrigin: Int = 64
            /// The most connections in all, at least 1; 256 by default. Origins that wait take turns.
            public var connections: Int = 256
            /// The longest time that making a connection may take, name lookup and TLS handshake included; 30 seconds by
            /// default. Its error is ``ServiceError/Code/connection``: nothing was sent.
            public var connectTimeout: Duration = .seconds(30)
            /// The most bytes of an answer's head, 64 kB by default; of its trailers as well.
            public var headLimit: Int = 65_536
            /// How many times its size a compressed body may grow once it has more than 1 MB; 200 by default. More is
            /// ``ServiceError/Code/bodyTooLarge``.
            public var expansionLimit: Int = 200
            /// Whether HTTP/2 is offered to https servers. The default is false.
            ///
            /// Over HTTP/2, libcurl reports success for a response that the server ends early with
            /// `RST_STREAM(NO_ERROR)` (RFC 9113, section 8.1), and before 8.1 also after most connection errors. A
            /// response over HTTP/2 is therefore accepted only if its completeness can be proved: by its
            /// `Content-Length`, by the end of the content coding `br` or `deflate`, which are then the only ones that are
            /// asked for, or because it has no body (`HEAD`, 204, 304). Any other response is an error with
            /// ``ServiceError/Code/badResponse``. Over HTTP/1.1 the framing itself is the proof (RFC 9112, section 8), so
            /// HTTP/1.1 is the default.
            ///
            /// A body over HTTP/1.1 without `Content-Length` and `Transfer-Encoding: chunked` ends with its connection. Over
            /// TLS it is complete if the server ends the connection with a close_notify alert (section 9.8). Some versions
            /// of libcurl do not report a missing alert, such as those of Debian 12 and Ubuntu 24.04. With them such a body
            /// is also an error with ``ServiceError/Code/badResponse``, unless it ends with the coding `br` or `deflate`.
            ///
            /// Streamed bodies always use HTTP/1.1. Each has its own connection, which does not count against
            /// ``connections``, so a slow reader delays no other request.
            public var offersHTTP2: Bool = false
            /// Where cookies are kept; nil, the default, keeps and sends none. Each request of a call has those of its
            /// own address, redirects included: the rules are those of ``CookieInterceptor``.
            public var cookies: (any CookieInterceptor.Store)?
            /// Certificates and keys.
            public var tls: TLS = TLS()
            /// How servers are reached; ``Proxy/environment`` by default.
            public var proxy: Proxy = .environment
            /// A Unix-domain socket that every connection goes to, whatever the address says; none by default. Each request has a
            /// connection of its own then.
            public var unixSocket: String?
            /// Addresses to connect to in place of hosts: `["api.example.com": "127.0.0.1"]`, or `"127.0.0.1:8443"`
            /// with a port, an IPv6 address in brackets. `Host` field and TLS keep the name.
            public var addresses: [String: String] = [:]

            /// The defaults.
            public init() {}
        }

        /// Whom a session trusts, and how it shows who it is.
        public struct TLS: Sendable {
            /// The authorities that may sign a server's certificate.
            public enum Authorities: Sendable, Hashable {
                /// The system's.
                case system
                /// Those of a PEM file, and no others.
                case file(URL)
                /// Those of a PEM text, and no others. Requires libcurl 7.77 or later. With 7.76 each request fails with
                /// ``ServiceError/Code/configuration``.
                case pem(String)
            }

            /// The oldest version of TLS that is spoken.
            public enum Version: Sendable, Hashable {
                /// TLS 1.2 (RFC 5246).
                case tls12
                /// TLS 1.3 (RFC 8446).
                case tls13
            }

            /// Who may sign a server's certificate: the system's authorities by default.
            public var authorities: Authorities = .system
            /// The SHA-256 digests of the public keys (SubjectPublicKeyInfo) that the server may have. Empty, the default,
            /// pins nothing. The server's certificate must also be signed by one of the ``authorities``.
            ///
            /// A digest is written in base64, with or without curl's prefix `sha256//`. Each request fails with
            /// ``ServiceError/Code/configuration`` if a pin has another form.
            public var pinnedKeys: [String] = []
            /// The oldest version that is spoken; TLS 1.2 by default.
            public var minimumVersion: Version = .tls12
            /// The client's certificate, a PEM file; none by default.
            public var certificate: URL?
            /// The key of ``certificate``, a PEM file; by default it is in the same file.
            public var key: URL?
            /// The password of ``key``.
            public var keyPassword: Secret?

            /// The defaults.
            public init() {}
        }

        /// How servers are reached.
        public enum Proxy: Sendable, Hashable {
            /// The proxies of the environment variables `http_proxy` (lower case only), `https_proxy` and `all_proxy`, except
            /// for the hosts in `no_proxy`. Requests to `localhost`, 127.0.0.0/8 and `::1` use no proxy.
            case environment
            /// Directly, whatever the environment says.
            case none
            /// Through a proxy, `http://`, `https://`, `socks5://` or `socks5h://`, but for these hosts and their
            /// subdomains.
            case through(URL, except: [String] = [])
        }
    }

    extension CurlSession.Proxy: CustomStringConvertible, CustomReflectable {
        /// The text that is safe to print: a proxy's address may hold a password.
        public var description: String {
            switch self {
            case .environment: "environment"
            case .none: "none"
            case .through(let url, let hosts): "\(Redaction.standard.address(url)) except \(hosts)"
            }
        }

        /// What reflection may show.
        public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .enum) }
    }
#endif
