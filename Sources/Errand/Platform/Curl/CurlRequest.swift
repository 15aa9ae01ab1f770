#if os(Linux)
    /// A request in the form that libcurl takes.
    struct CurlRequest: Sendable {
        let url: String
        let method: String
        let origin: Origin
        /// Whether it goes over TLS.
        let isSecure: Bool
        /// The header lines, each ended by NUL.
        let lines: [UInt8]
        let hasBody: Bool
        let bodyCount: Int64?
        /// Whether the response may come over HTTP/2.
        let offersHTTP2: Bool
        /// Whether libcurl must not try it on a connection that may have died: it would send it twice.
        let isFresh: Bool

        /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` for a URL with user information or without a host.
        init(
            _ request: APIRequest, bodyCount: Int64?, acceptedCodings: String, offersHTTP2: Bool
        ) throws(ServiceError) {
            guard let url = request.url, url.user(percentEncoded: true) == nil else {
                throw ServiceError(.encoding, "the address has user information: set the Authorization field")
            }
            self.url = url.absoluteString
            self.bodyCount = bodyCount
            method = request.method.rawValue
            origin = Origin(url)
            isSecure = url.scheme?.lowercased() == "https"
            hasBody = request.body != .none
            self.offersHTTP2 = offersHTTP2
            // Once a byte of a body is out, going back to the first one is refused; without one nothing else keeps libcurl
            // from sending the request again.
            isFresh = !request.mayRepeat && (!hasBody || bodyCount == 0)
            lines = Self.lines(of: request, acceptedCodings: acceptedCodings)
        }

        private static func lines(of request: APIRequest, acceptedCodings: String) -> [UInt8] {
            let fields = request.fields
            var lines: [UInt8] = []
            lines.reserveCapacity(512)
            for field in fields {
                // A name with nothing, or blanks, after it would remove libcurl's own field.
                let isEmpty = field.value.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                lines.add(field.name, isEmpty ? ";" : ": ", isEmpty ? "" : field.value)
            }
            let asksForPart = fields.contains { $0.isNamed("Range") }
            if !acceptedCodings.isEmpty, !fields.contains(where: { $0.isNamed("Accept-Encoding") }) {
                // A part of an encoded body is of no use.
                lines.add("Accept-Encoding: ", asksForPart ? "identity" : acceptedCodings)
            }
            if request.body != .none {
                if fields["Content-Type"] == nil { lines.add("Content-Type: application/octet-stream") }
                // libcurl would wait a second for a 100 that few servers send.
                if fields["Expect"] == nil { lines.add("Expect:") }
            } else if ["POST", "PUT", "PATCH", "QUERY"].contains(request.method.rawValue) {
                // RFC 9110, section 8.6.
                lines.add("Content-Length: 0")
            }
            return lines
        }
    }

    extension [UInt8] {
        /// Adds a line of such parts.
        fileprivate mutating func add(_ parts: String...) {
            for part in parts { append(contentsOf: part.utf8) }
            append(0)
        }
    }
#endif
