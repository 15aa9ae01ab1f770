#if os(Linux)
    /// A request in the form that libcurl takes.
    struct CurlRequest: Sendable {
        let url: String
        let method: String
        let origin: Origin
        /// The header lines, each ended by NUL.
        let lines: [UInt8]
        let hasBody: Bool
        let bodyCount: Int64?
        /// Whether libcurl must not try it on a connection that may have died: it would send it twice.
        let isFresh: Bool

        /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` for an address with user information.
        init(_ request: APIRequest, bodyCount: Int64?, acceptedCodings: String) throws(ServiceError) {
            guard let url = request.url, url.user(percentEncoded: true) == nil else {
                throw ServiceError(.encoding, "the address has user information: set the Authorization field")
            }
            self.url = url.absoluteString
            self.bodyCount = bodyCount
            method = request.method.rawValue
            origin = Origin(url)
            hasBody = request.body != .none
            isFresh = !hasBody && !request.method.isIdempotent
            lines = Self.lines(of: request, acceptedCodings: acceptedCodings)
        }

        private static func lines(of request: APIRequest, acceptedCodings: String) -> [UInt8] {
            var lines: [UInt8] = []
            lines.reserveCapacity(512)
            var names: Set<String> = []
            for field in request.fields {
                names.insert(field.name.lowercased())
                lines.append(contentsOf: field.name.utf8)
                // A name with nothing after it would remove libcurl's own field.
                lines.append(contentsOf: (field.value.isEmpty ? ";" : ": ").utf8)
                lines.append(contentsOf: field.value.utf8)
                lines.append(0)
            }
            func add(_ line: String, unless name: String) {
                if !names.contains(name) { lines.append(contentsOf: Array(line.utf8) + [0]) }
            }
            if !acceptedCodings.isEmpty { add("Accept-Encoding: \(acceptedCodings)", unless: "accept-encoding") }
            if request.body != .none {
                add("Content-Type: application/octet-stream", unless: "content-type")
                // libcurl would wait a second for a 100 that few servers send.
                add("Expect:", unless: "expect")
            } else if ["POST", "PUT", "PATCH"].contains(request.method.rawValue) {
                // RFC 9110, section 8.6.
                add("Content-Length: 0", unless: "content-length")
            }
            return lines
        }
    }

    extension HTTPMethod {
        /// Whether a request may be sent again without asking (RFC 9110, section 9.2.2).
        var isIdempotent: Bool { ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(rawValue) }
    }
#endif
