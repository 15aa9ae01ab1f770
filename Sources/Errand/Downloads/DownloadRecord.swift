import ErrandSupport

/// What is known about the content of a partial file. It is stored in a file next to it.
package struct DownloadRecord: Sendable, Hashable, Codable {
    /// A part of the file that is downloaded on its own.
    package struct Segment: Sendable, Hashable, Codable {
        /// The first byte of the segment.
        package let start: Int64
        /// The byte after the last one.
        package let end: Int64
        /// The next byte to download.
        package var position: Int64

        package init(start: Int64, end: Int64, position: Int64) {
            (self.start, self.end, self.position) = (start, end, position)
        }

        package var isComplete: Bool { position >= end }
    }

    /// The version of the format. A record with another version is ignored.
    package static let currentVersion = 1
    private static let segmentLimit = 64

    private(set) var version = currentVersion
    /// The hash of the identity of the resource.
    package let identity: String
    /// The validators of the first response. They are strong.
    package let validators: ResourceValidators
    /// The length of the complete file, or `nil` if it is unknown.
    package var total: Int64?
    /// The file name that the first response suggested. Later responses may omit it (RFC 9110, section 15.3.7).
    package var name: String?
    /// The SHA-256 hash that the server announced, as hexadecimal digits.
    package var digest: String?
    /// The segments of a download in several parts, in order, without gaps. `nil` if the file is downloaded from its
    /// start to its end. The length of the partial file then is the next byte to download.
    package var segments: [Segment]?

    package init(
        identity: String, validators: ResourceValidators, total: Int64? = nil, name: String? = nil,
        digest: FileDigest? = nil
    ) {
        self.identity = identity
        self.validators = validators
        self.total = total
        self.name = name
        self.digest = digest?.description
    }

    /// Returns whether a partial file of the given length can be continued with this record.
    package func isUsable(length: Int64, identity: String) -> Bool {
        guard version == Self.currentVersion, identity == self.identity, validators.isStrong, length > 0 else {
            return false
        }
        guard length <= total ?? .max else { return false }
        guard let segments else { return true }
        guard let total, segments.count <= Self.segmentLimit, segments.last?.end == total else { return false }
        var start: Int64 = 0
        for segment in segments {
            guard segment.start == start, segment.end > start, (start...segment.end).contains(segment.position) else {
                return false
            }
            // The file is at least as long as its last byte that was written.
            if segment.position > start, segment.position > length { return false }
            start = segment.end
        }
        return true
    }

    /// The number of bytes that need not be downloaded again. `length` is that of the partial file.
    package func completed(length: Int64) -> Int64 {
        segments.map { $0.reduce(0) { $0 + ($1.position - $1.start) } } ?? length
    }

    /// This record without segments if all of them are complete.
    package var joined: DownloadRecord {
        var record = self
        if segments?.allSatisfy(\.isComplete) == true { record.segments = nil }
        return record
    }

    /// Returns the record of a download in several parts, or `nil` if the rest of the file is too short.
    ///
    /// - Parameters:
    ///   - length: The number of bytes that are downloaded already.
    ///   - width: The maximum number of parts.
    /// - Returns: This record with segments.
    package func split(after length: Int64, into width: Int) -> DownloadRecord? {
        guard segments == nil, let total, length > 0, length < total else { return nil }
        let rest = total - length
        let count = min(Int64(width), rest / DownloadOptions.minimumPart)
        guard count > 1 else { return nil }
        var list = [Segment(start: 0, end: length, position: length)]
        let size = rest / count
        for index in 0..<count {
            let start = length + index * size
            list.append(Segment(start: start, end: index == count - 1 ? total : start + size, position: start))
        }
        var record = self
        record.segments = list
        return record
    }
}

extension DownloadRecord {
    /// Returns whether the response with status 206 is a part of the same representation (RFC 9110, section 15.3.7).
    ///
    /// Such a response has the entity tag that a response with status 200 would have. It may omit `Last-Modified`.
    package func matches(_ other: ResourceValidators) -> Bool {
        if let tag = validators.entityTag { return other.entityTag.map(tag.matchesStrongly) ?? false }
        return other.entityTag == nil && (other.lastModified == nil || other.lastModified == validators.lastModified)
    }

    /// The hash of the identity of a resource.
    package static func identity(of request: APIRequest, _ options: DownloadOptions) -> String {
        let text = options.identity.map { "identity \($0)" } ?? "URL \(request.url?.absoluteString ?? "")"
        return SHA256.hash(text.utf8).hexadecimal
    }
}
