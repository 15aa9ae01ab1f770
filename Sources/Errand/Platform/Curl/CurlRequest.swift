#if os(Linux)
    /// A request in the form that libcurl takes.
    struct CurlRequest: Sendable {
        /// The URL without its fragment and with `/` for an empty path. This is the request target in absolute form
        /// (RFC 9112, section 3.2.2).
        let url: String
        /// The UTF-8 offset in ``url`` at which the request target in origin form starts (section 3.2.1).
        let targetStart: Int
        let method: String
        let origin: Origin
        /// Whether the request uses TLS.
        let isSecure: Bool
        /// Whether HTTP/2 is offered to the server.
        let offersHTTP2: Bool
        /// The header lines, each ended by NUL.
        let lines: [UInt8]
        let hasBody: Bool
        let bodyCount: Int64?
        /// Whether the body contains a file or a stream. Its bytes may become available after the header section was sent.
        let hasLateBody: Bool
        /// Whether libcurl may retry the request if its connection closes without a response.
        let isRetryable: Bool
        /// Whether libcurl must open a new connection. It could send the request twice on one that has closed.
        let isFresh: Bool
        /// Whether the body of the response is delivered as it arrives.
        let isStreamed: Bool

        /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the URL has user information, or no host.
        init(
            _ request: APIRequest, bodyCount: Int64?, acceptedCodings: String, offersHTTP2: Bool
        ) throws(ServiceError) {
            guard let url = request.url, url.user(percentEncoded: true) == nil else {
                throw ServiceError(
                    .encoding, "invalid URL: user information is unsupported; set the Authorization header")
            }
            (self.url, targetStart) = try Self.targets(of: url.absoluteString)
            self.bodyCount = bodyCount
            self.offersHTTP2 = offersHTTP2
            method = request.method.rawValue
            origin = Origin(url)
            isSecure = url.scheme?.lowercased() == "https"
            hasBody = request.body != .none
            hasLateBody = !request.body.isInMemory
            isRetryable = request.isRetryable
            isStreamed = request.options.delivery == .streamed
            // If a byte of a body has been sent, this client refuses to rewind the body. Without a body, only a new
            // connection keeps libcurl from sending the request again.
            isFresh = !request.isRetryable && (!hasBody || bodyCount == 0)
            lines = Self.lines(of: request, acceptedCodings: acceptedCodings)
        }

        /// Removes the fragment, adds a missing path, and finds the start of the path. Other bytes are not changed,
        /// because signatures cover them.
        private static func targets(of text: String) throws(ServiceError) -> (url: String, targetStart: Int) {
            let bytes = text.utf8
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
                throw noHost
            }
            let host = bytes.index(colon, offsetBy: 3)
            let path = bytes[host...].firstIndex(where: \.endsAuthority) ?? bytes.endIndex
            guard path > host else { throw noHost }
            let end = bytes[path...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
            let start = bytes.distance(from: bytes.startIndex, to: path)
            if path < end, bytes[path] == UInt8(ascii: "/") {
                return (end == bytes.endIndex ? text : String(text[..<end]), start)
            }
            return ("\(text[..<path])/\(text[path..<end])", start)
        }

        private static var noHost: ServiceError {
            ServiceError(.encoding, "invalid URL: expected an http or https URL with a host")
        }

        private static func lines(of request: APIRequest, acceptedCodings: String) -> [UInt8] {
            let headers = request.headers
            var lines: [UInt8] = []
            lines.reserveCapacity(512)
            for header in headers {
                // An empty or blank value would remove the header of that name that libcurl itself sends.
                let isEmpty = header.value.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                lines.add(header.name, isEmpty ? ";" : ": ", isEmpty ? "" : header.value)
            }
            let asksForPart = headers.contains { $0.isNamed("Range") }
            if !acceptedCodings.isEmpty, !headers.contains(where: { $0.isNamed("Accept-Encoding") }) {
                // A range of an encoded body cannot be decoded.
                lines.add("Accept-Encoding: ", asksForPart ? "identity" : acceptedCodings)
            }
            if request.body != .none {
                if headers["Content-Type"] == nil { lines.add("Content-Type: application/octet-stream") }
                // libcurl would wait one second for a 100 response, which few servers send.
                if headers["Expect"] == nil { lines.add("Expect:") }
            } else if ["POST", "PUT", "PATCH", "QUERY"].contains(request.method.rawValue) {
                // RFC 9110, section 8.6.
                lines.add("Content-Length: 0")
            }
            return lines
        }
    }

    extension UInt8 {
        /// Whether the authority of a URL ends before this byte (RFC 3986, section 3.2).
        fileprivate var endsAuthority: Bool {
            self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
        }
    }

    extension [UInt8] {
        /// Appends a line of the given parts, with a NUL at its end.
        fileprivate mutating func add(_ parts: String...) {
            for part in parts { append(contentsOf: part.utf8) }
            append(0)
        }
    }
#endif
