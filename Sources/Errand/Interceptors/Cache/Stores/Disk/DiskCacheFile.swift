import ErrandJSON
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

    /// The header. Dates are seconds since 1970.
    struct Header: Codable {
        var key: String
        var url: String
        var status: Int
        var reason: String
        var headers: [[String]]
        var requestDate: Double
        var responseDate: Double
        var selection: VarySelection
        var isEncoded: Bool
        var size: Int64
        /// The file name of a large body and its hash.
        var body: String?
        var bodyHash: UInt64?
    }

    var header: Header
    /// The body, unless it is in a separate file.
    package var body: Data

    init(_ entry: CacheEntry, _ key: CacheKey, size: Int64, body: Data) {
        header = Header(
            key: key.digest, url: key.url, status: entry.head.status, reason: entry.head.reason,
            headers: entry.head.headers.map { [$0.name, $0.value] },
            requestDate: entry.requestDate.timeIntervalSince1970,
            responseDate: entry.responseDate.timeIntervalSince1970, selection: entry.selection,
            isEncoded: entry.isEncoded, size: size)
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
            let header = try? FastJSONDecoder().decode(Header.self, from: Data(content.prefix(length))),
            header.headers.allSatisfy({ $0.count == 2 }), (100...999).contains(header.status),
            header.body.map(DiskCacheFolder.isBody) ?? true
        else { return nil }
        body = Data(content.dropFirst(length))
        guard header.body != nil ? body.isEmpty : Int64(body.count) == header.size else { return nil }
        self.header = header
    }

    /// The bytes of the file.
    var data: Data {
        get throws {
            let header = try JSONEncoder().encode(header)
            var rest = Data()
            rest.appendLittleEndian(UInt64(header.count), 4)
            rest += header + body
            var data = Self.mark
            data.appendLittleEndian(XXHash64.hash(rest), 8)
            return data + rest
        }
    }

    /// Returns the stored response, or `nil` if its URL is invalid.
    package func entry(_ body: ResponseBody) -> CacheEntry? {
        guard let url = URL(string: header.url) else { return nil }
        let headers = header.headers.map { HeaderFields.Field($0[0], $0[1]) }
        return CacheEntry(
            head: ResponseHead(
                status: header.status, reason: header.reason, headers: HeaderFields(headers), url: url),
            requestDate: Date(timeIntervalSince1970: header.requestDate),
            responseDate: Date(timeIntervalSince1970: header.responseDate), selection: header.selection,
            isEncoded: header.isEncoded, size: header.size, body: body)
    }
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
