#if os(Linux)
    import CErrandCurl

    /// The libcurl of this process.
    package enum CurlLibrary {
        /// The name and version of the library, such as `libcurl 8.14.1`, or the reason why it cannot be used.
        package static var state: String {
            _ = errand_curl_load()
            return String(cString: errand_curl_state())
        }

        /// Loads the library.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` if it is missing, too old or
        ///   incomplete.
        static func check() throws(ServiceError) {
            guard errand_curl_load() else { throw unusable(state) }
        }

        /// - Parameter found: The state of the library, such as `libcurl 7.68.0 is too old`.
        /// - Returns: The error that each request throws.
        package static func unusable(_ found: String) -> ServiceError {
            ServiceError(
                .configuration,
                "no usable libcurl (\(found)): expected libcurl.so.4 of version 7.76.0 or later, with TLS and asynchronous name "
                    + "lookup; install the package libcurl4 (Debian, Ubuntu) or libcurl (Fedora, RHEL, Amazon Linux), or pass "
                    + "session: .shared to use URLSession with servers that you trust")
        }

        /// Whether the library takes certificate authorities from memory (`CURLOPT_CAINFO_BLOB`), not only from files.
        package static var acceptsAuthorities: Bool { errand_curl_load() && errand_curl_accepts_authorities() }

        /// Whether libcurl reports an error if the TLS connection to a server ends without a close_notify alert.
        /// - Parameter hasTLSProxy: Whether the connection may go through an https proxy.
        /// - Returns: False also if this is not known.
        package static func detectsTruncation(hasTLSProxy: Bool) -> Bool {
            errand_curl_load() && errand_curl_detects_truncation(hasTLSProxy)
        }

        /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` if ``acceptsAuthorities`` is false.
        static func checkTakesAuthorities() throws(ServiceError) {
            guard !acceptsAuthorities else { return }
            throw ServiceError(
                .configuration,
                "unsupported tls.authorities .pem: expected libcurl 7.77.0 or later, found \(state); use .file with the path of "
                    + "a PEM file")
        }
    }
#endif
