import ErrandSupport

/// The file of a stored response: a header in JSON, and a small body. A larger body is in a separate file.
///
/// | bytes | content |
/// |---|---|
/// | 0 to 7 | `errandc1` |
/// | 8 to 15 | the hash of all following bytes (XXH64, little-endian) |
/// | 16 to 19 | the length of the header (little-endian) |
/// | from 20 | the header, then the body |
package struct DiskCacheFile {
    private static let mark = Data("errandc1".utf8)
    private static let headerStart = 20
    /// The maximum size of a body in the file of its header: 64 kB.
    static let inlineLimit = 65_536
    /// The maximum number of bytes by which a reference to a separate body extends the header: 300.
    static let bodyReference: Int64 = 300
    /// The maximum size of a file: 1 MB.
    static let limit = 1 << 20

    var header: StoredHeader
    /// The body, unless it is in a separate file.
    package var body: Data

    init(_ entry: CacheEntry, _ key: CacheKey, size: Int64, body: Data) {
        header = StoredHeader(entry, key, size: size)
        self.body = body
    }

    /// Decodes a file. Returns `nil` if it is damaged or has another format.
    init?(_ data: Data) {
        guard data.count >= Self.headerStart, data.starts(with: Self.mark), data.count <= Self.limit else { return nil }
        let rest = data.dropFirst(16)
        guard data.dropFirst(8).littleEndian(8) == XXHash64.hash(rest) else { return nil }
        self.init(hashed: rest)
    }

    /// Decodes the bytes after the hash. Returns `nil` if they have another format.
    package init?(hashed rest: Data) {
        let length = Int(clamping: rest.littleEndian(4))
        let content = rest.dropFirst(4)
        guard rest.count >= 4, length <= content.count,
            let header = StoredHeader(Data(content.prefix(length))), header.body.map(DiskCacheFolder.isBody) ?? true
        else { return nil }
        body = Data(content.dropFirst(length))
        guard header.body != nil ? body.isEmpty : Int64(body.count) == header.size else { return nil }
        self.header = header
    }

    /// The bytes of the file.
    var data: Data {
        get throws {
            let header = try header.data
            var rest = Data()
            rest.appendLittleEndian(UInt64(header.count), 4)
            rest += header + body
            var data = Self.mark
            data.appendLittleEndian(XXHash64.hash(rest), 8)
            return data + rest
        }
    }

    /// Returns the stored response, or `nil` if its URL is invalid.
    package func entry(_ body: ResponseBody) -> CacheEntry? { header.entry(body) }
}

extension Data {
    /// The first bytes as a number.
    fileprivate func littleEndian(_ count: Int) -> UInt64 {
        prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    fileprivate mutating func appendLittleEndian(_ number: UInt64, _ count: Int) {
        for index in 0..<count { append(UInt8(truncatingIfNeeded: number >> (UInt64(index) * 8))) }
    }
}
