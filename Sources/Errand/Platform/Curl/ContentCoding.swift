#if os(Linux)
    import CErrandCurl

    /// The content codings of a response that can all be decoded (RFC 9110, section 8.4).
    package struct ContentCoding: Sendable {
        /// The codings that can be decoded here, best first.
        package static let accepted: String = names(of: known)
        /// The codings in ``accepted`` that prove by their end that a body is complete, best first.
        package static let acceptedAsProof: String = names(of: known.filter { endings.contains($0.name) })

        /// The maximum number of codings of a body: 5, as in libcurl.
        private static let limit = 5

        private static let known: [(name: String, coding: errand_coding)] = [
            ("zstd", errand_zstd), ("br", errand_brotli), ("gzip", errand_gzip), ("deflate", errand_deflate),
        ]

        /// The codings that allow no bytes after their end (RFC 7932, section 9.2; RFC 1951, section 3.2.3). A gzip
        /// member or a zstd frame may be followed by another (RFC 1952, section 2.2; RFC 8878, section 3.1), so a body
        /// that is truncated there looks complete.
        private static let endings: Set = ["br", "deflate"]

        private static func names(of codings: [(name: String, coding: errand_coding)]) -> String {
            codings.filter { errand_coding_is_known($0.coding) }.map(\.name).joined(separator: ", ")
        }

        /// In the order in which they were applied.
        private let codings: [errand_coding]
        /// Whether a body that has been decoded, and is not empty, is certainly complete.
        package let endProvesCompleteness: Bool
        private let expansionLimit: Int

        /// Parses the codings of a response. Returns `nil` if the body is delivered unchanged: it has no coding, it
        /// has an unsupported coding, or it is a part of an encoded body.
        ///
        /// - Parameters:
        ///   - head: The status and headers of the response.
        ///   - framing: How the length of the body is determined.
        ///   - isPart: Whether the body is the range that the request asked for. It cannot be decoded alone.
        ///   - expansionLimit: The maximum size of the decoded body, as a multiple of the received one.
        /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` for more than 5 codings.
        package init?(
            _ head: MessageHead, _ framing: MessageFraming, isPart: Bool, expansionLimit: Int
        ) throws(ServiceError) {
            guard framing != .none, !isPart else { return nil }
            let names = ContentCodings(head.headers).names
            let codings = names.compactMap { name in Self.known.first { $0.name == name }?.coding }
            guard !names.isEmpty, codings.count == names.count, codings.allSatisfy(errand_coding_is_known) else {
                return nil
            }
            guard codings.count <= Self.limit else {
                let reason = "the response has \(codings.count) content codings, expected at most \(Self.limit)"
                throw ServiceError(.badResponse, reason)
            }
            self.codings = codings
            endProvesCompleteness = names.last.map(Self.endings.contains) ?? false
            self.expansionLimit = max(1, expansionLimit)
        }

        package func makeDecoder() -> ContentDecoder { ContentDecoder(codings, expansionLimit: expansionLimit) }

        /// Decodes a complete body.
        /// - Throws: ``ServiceError``: with ``ServiceError/Code/badResponse`` for a truncated or damaged body, or
        ///   ``ServiceError/Code/bodyTooLarge`` for a decoded body over the limit.
        package func decode(_ body: Data, upTo limit: Int) throws(ServiceError) -> Data {
            let decoder = makeDecoder()
            var decoded = Data()
            decoder.add(body)
            while let part = try decoder.next() {
                guard part.count <= limit - decoded.count else { throw .bodyTooLarge(limit) }
                decoded.append(part)
            }
            try decoder.finish()
            return decoded
        }
    }
#endif
