import ErrandSupport

/// The content of an upload: bytes in memory or a file.
package struct UploadContent: Sendable {
    /// The size and the name of a content.
    package struct Facts: Sendable, Hashable {
        /// The number of bytes.
        package let size: Int64
        /// The name of a file.
        package let name: String?

        package init(size: Int64, name: String? = nil) {
            (self.size, self.name) = (size, name)
        }
    }

    /// The values that distinguish a content from a changed one.
    package struct Identity: Sendable, Hashable, Codable {
        package let size: Int64
        /// The modification date of a file in milliseconds since 1970.
        package let modified: Int64?
        /// The SHA-256 digest of data, or of the first and the last 64 kB of a file.
        package let digest: String
    }

    package let facts: Facts
    package let identity: Identity
    private let body: RequestBody

    /// Reads the identity of a content.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/configuration`` for a stream, a form or no body, and with
    ///   ``ServiceError/Code/encoding`` for a file that cannot be read.
    package init(_ body: RequestBody) throws(ServiceError) {
        self.body = body
        switch body {
        case .data(let data):
            facts = Facts(size: Int64(data.count))
            identity = Identity(size: facts.size, modified: nil, digest: try Self.digest([data]))
        case .file(let url):
            let file = try RegularFile(url)
            facts = Facts(size: file.size, name: url.lastPathComponent)
            let ends = [0, max(0, file.size - Self.sample)]
            let samples = try ends.map { offset throws(ServiceError) in
                try FilePart.bytes(of: url, at: offset, count: Int(Self.sample))
            }
            identity = Identity(
                size: file.size, modified: Self.modified(url), digest: try Self.digest(samples))
        case .none:
            throw ServiceError(.configuration, "expected a body of data or a file to upload, found no body")
        case .stream, .multipart:
            throw ServiceError(
                .configuration,
                "expected a body of data or a file for a resumable upload, found a stream or a form: "
                    + "write it to a file first"
            )
        }
    }

    /// The number of bytes at each end of a file that ``identity`` covers: 64 kB.
    private static let sample: Int64 = 65_536

    private static func digest(_ parts: [Data]) throws(ServiceError) -> String {
        var hash = SHA256()
        for part in parts {
            // In pieces, so that a cancellation ends it.
            var rest = part
            while !rest.isEmpty {
                try ServiceError.checkCancellation()
                hash.update(rest.prefix(1 << 20))
                rest = rest.dropFirst(1 << 20)
            }
        }
        return hash.finish().hexadecimal
    }

    private static func modified(_ file: URL) -> Int64? {
        let facts = try? FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))
        return (facts?[.modificationDate] as? Date).flatMap {
            Int64(exactly: ($0.timeIntervalSince1970 * 1_000).rounded())
        }
    }
}

extension UploadContent {
    /// Returns the body of a request with a part of the content.
    ///
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/encoding`` if the file was changed.
    package func part(_ range: Range<Int64>) throws(ServiceError) -> RequestBody {
        if case .file(let url) = body {
            guard try RegularFile(url).size == facts.size, Self.modified(url) == identity.modified else {
                throw RegularFile.changed
            }
        }
        guard range != 0..<facts.size else { return body }
        switch body {
        case .data(let data):
            let start = data.startIndex + Int(range.lowerBound)
            return .data(Data(data[start..<data.startIndex + Int(range.upperBound)]))
        case .file(let url):
            return .stream(length: range.upperBound - range.lowerBound) { FilePart(file: url, range: range) }
        case .none, .stream, .multipart: return body
        }
    }
}
