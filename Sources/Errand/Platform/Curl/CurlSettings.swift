#if os(Linux)
    import CErrandCurl

    /// The configuration of a session in the form that libcurl takes.
    struct CurlSettings: Sendable {
        private let configuration: CurlSession.Configuration
        let limitPerOrigin: Int
        let limit: Int
        /// Whether an https proxy may be used. Then the bytes of an http response may be encrypted.
        let mayHaveTLSProxy: Bool

        init(_ configuration: CurlSession.Configuration) {
            self.configuration = configuration
            limitPerOrigin = max(1, configuration.connectionsPerOrigin)
            limit = max(1, configuration.connections)
            mayHaveTLSProxy = Self.mayUse(configuration.proxy, with: "https:")
        }

        /// Rejects a text that contains a NUL, a malformed proxy URL, and a malformed pin. libcurl would use only the
        /// part of a text before the NUL: another file, another pin, or no proxy exception.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` that names the setting.
        func check() throws(ServiceError) {
            let tls = configuration.tls
            var texts: [(name: String, text: String?)] = [
                ("tls.certificate", tls.certificate?.path(percentEncoded: false)),
                ("tls.key", tls.key?.path(percentEncoded: false)), ("tls.keyPassword", tls.keyPassword?.reveal()),
                ("unixSocket", configuration.unixSocket),
            ]
            texts += tls.pinnedKeys.map { ("tls.pinnedKeys", $0) }
            texts += configuration.addresses.flatMap { [("addresses", $0.key), ("addresses", $0.value)] }
            if case .file(let url) = tls.authorities {
                texts.append(("tls.authorities", url.path(percentEncoded: false)))
            }
            if case .pem(let text) = tls.authorities { texts.append(("tls.authorities", text)) }
            if case .through(let url, let hosts) = configuration.proxy {
                texts += hosts.map { ("proxy", $0) }
                try check(proxy: url)
            }
            for (name, text) in texts where text?.utf8.contains(0) == true {
                throw ServiceError(.configuration, "invalid \(name): expected a text without NUL characters")
            }
            for pin in tls.pinnedKeys { try PublicKeyPin.check(pin) }
            if case .pem = tls.authorities { try CurlLibrary.checkTakesAuthorities() }
        }

        /// Checked here, because an error message of libcurl would contain the complete URL with its password.
        private func check(proxy url: URL) throws(ServiceError) {
            let schemes: Set = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
            guard schemes.contains(url.scheme?.lowercased() ?? ""), let host = url.host(), !host.isEmpty,
                (1...65_535).contains(url.port ?? 1)
            else {
                throw ServiceError(
                    .configuration,
                    "invalid proxy URL: expected an http, https, socks5 or socks5h URL with a host and a valid port")
            }
        }

        /// Whether connections may be shared.
        var offersHTTP2: Bool { configuration.offersHTTP2 }

        /// The maximum number of connections of libcurl to one host. libcurl counts a proxy, or an address that
        /// several hosts share, as one host. Then only the connection queue limits the connections to an origin.
        var limitPerHost: Int {
            let isShared = Self.mayUse(configuration.proxy)
            return isShared || !configuration.addresses.isEmpty ? limit : limitPerOrigin
        }

        /// Whether a proxy may be used that has a URL with the given prefix.
        private static func mayUse(_ proxy: CurlSession.Proxy, with scheme: String = "") -> Bool {
            switch proxy {
            case .none: false
            case .through(let url, _): url.absoluteString.lowercased().hasPrefix(scheme)
            case .environment:
                ProcessInfo.processInfo.environment.contains { name, value in
                    let name = name.lowercased()
                    return name.hasSuffix("_proxy") && name != "no_proxy" && value.lowercased().hasPrefix(scheme)
                }
            }
        }

        /// Creates a handle with these settings.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` that names the rejected option.
        func makeHandle() throws(ServiceError) -> OpaquePointer {
            var strings = CStrings()
            defer { strings.free() }
            var settings = self.settings(&strings)
            var callbacks = Self.callbacks
            var refused: UnsafePointer<CChar>?
            if let handle = errand_transfer_new(&settings, &callbacks, &refused) { return handle }
            throw Self.refusal(of: refused)
        }

        /// Creates a connection to the host and port of a URL with these settings.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` that names the rejected option.
        func makeConnection(_ url: URL, _ waiter: errand_waiter) throws(ServiceError) -> OpaquePointer {
            var strings = CStrings()
            defer { strings.free() }
            var settings = self.settings(&strings)
            var refused: UnsafePointer<CChar>?
            if let connection = errand_connection_new(url.absoluteString, &settings, waiter, &refused) {
                return connection
            }
            throw Self.refusal(of: refused)
        }

        private static func refusal(of option: UnsafePointer<CChar>?) -> ServiceError {
            let option = option.map { String(cString: $0) } ?? "a new handle: no memory left"
            return ServiceError(.configuration, "libcurl rejected \(option)")
        }

        private func settings(_ strings: inout CStrings) -> errand_settings {
            let tls = configuration.tls
            var settings = errand_settings()
            switch tls.authorities {
            case .system: break
            case .file(let url): settings.ca_file = strings.add(url.path(percentEncoded: false))
            case .pem(let text):
                settings.ca_bytes = UnsafeRawPointer(strings.add(text))
                settings.ca_count = text.utf8.count
            }
            settings.own_ca_only = tls.authorities != .system
            settings.certificate_file = strings.add(tls.certificate?.path(percentEncoded: false))
            settings.key_file = strings.add(tls.key?.path(percentEncoded: false))
            settings.key_password = strings.add(tls.keyPassword?.reveal())
            if !tls.pinnedKeys.isEmpty {
                settings.pinned_keys = strings.add(PublicKeyPin.curlOption(tls.pinnedKeys))
            }
            settings.tls_minimum =
                tls.minimumVersion == .tls13 ? ERRAND_CURL_SSLVERSION_TLSv1_3 : ERRAND_CURL_SSLVERSION_TLSv1_2
            switch configuration.proxy {
            case .environment: break
            case .none: settings.proxy = strings.add("")
            case .through(let url, let hosts):
                settings.proxy = strings.add(url.absoluteString)
                settings.no_proxy = strings.add(hosts.joined(separator: ","))
            }
            settings.may_have_tls_proxy = mayHaveTLSProxy
            settings.unix_socket = strings.add(configuration.unixSocket)
            let entries = addressEntries
            settings.connect_to = strings.add(entries)
            settings.connect_to_count = entries.count
            settings.http1_only = !configuration.offersHTTP2
            settings.connect_milliseconds = Int(
                min(max(1, configuration.connectTimeout.wholeMilliseconds), 2_147_483_647))
            return settings
        }

        /// The network addresses in the form HOST:PORT:ADDRESS:PORT. An empty first port means any port. An empty
        /// second port means the port of the request.
        private var addressEntries: [String] {
            // Only some versions of libcurl use a tunnel for a host that is mapped to itself.
            let addresses = configuration.addresses.filter { $0.key.lowercased() != $0.value.lowercased() }
            return addresses.sorted { $0.key < $1.key }.map { host, address in
                "\(host)::\(address.namesPort ? address : address + ":")"
            }
        }

        /// The callbacks of libcurl. Each finds its transfer by the pointer that it receives.
        private static var callbacks: errand_callbacks {
            errand_callbacks(
                head: { owner, bytes, count in
                    CurlTransfer.of(owner)?.takeHead(UnsafeBufferPointer(start: bytes, count: count)) ?? false
                },
                body: { owner, bytes, count in
                    CurlTransfer.of(owner)?.takeBody(UnsafeBufferPointer(start: bytes, count: count))
                        ?? errand_body_refused
                },
                read: { owner, bytes, capacity in
                    CurlTransfer.of(owner)?.giveBody(UnsafeMutableBufferPointer(start: bytes, count: capacity))
                        ?? CurlUpload.Given.failed
                },
                rewind: { owner in CurlTransfer.of(owner)?.upload?.rewind() ?? false },
                excess: { owner in CurlTransfer.of(owner)?.refuseFraming() })
        }
    }

    extension CurlTransfer {
        fileprivate static func of(_ owner: UnsafeMutableRawPointer?) -> CurlTransfer? {
            owner.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    /// Copies of strings that live as long as a call into C.
    private struct CStrings {
        private var copies: [UnsafeMutableBufferPointer<CChar>] = []
        private var lists: [UnsafeMutablePointer<UnsafePointer<CChar>?>] = []

        mutating func add(_ text: String?) -> UnsafePointer<CChar>? {
            guard let text else { return nil }
            let bytes = text.utf8CString
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
            _ = copy.initialize(from: bytes)
            copies.append(copy)
            return UnsafePointer(copy.baseAddress)
        }

        mutating func add(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?>? {
            guard !texts.isEmpty else { return nil }
            let list = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: texts.count)
            for (index, text) in texts.enumerated() { (list + index).initialize(to: add(text)) }
            lists.append(list)
            return UnsafePointer(list)
        }

        func free() {
            for copy in copies { copy.deallocate() }
            for list in lists { list.deallocate() }
        }
    }

    extension String {
        /// Whether a network address ends with a port: it has a colon outside brackets.
        fileprivate var namesPort: Bool {
            guard let colon = lastIndex(of: ":") else { return false }
            return lastIndex(of: "]").map { $0 < colon } ?? true
        }
    }
#endif
