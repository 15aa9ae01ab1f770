import ErrandJSON
import ErrandSupport

/// The stored form of a response without its body, as JSON. Dates are seconds since 1970.
package struct StoredHeader: Codable, Sendable {
    /// The digest of the key.
    package var key: String
    package var url: String
    var status: Int
    var reason: String
    var headers: [[String]]
    package var requestDate: Double
    package var responseDate: Double
    package var selection: VarySelection
    var isEncoded: Bool
    package var size: Int64
    /// The file name of a separate body.
    var body: String?
    /// The hash of a separate body (XXH64).
    package var bodyHash: UInt64?

    package init(_ entry: CacheEntry, _ key: CacheKey, size: Int64) {
        (self.key, url) = (key.digest, key.url)
        (status, reason) = (entry.head.status, entry.head.reason)
        headers = entry.head.headers.map { [$0.name, $0.value] }
        requestDate = entry.requestDate.timeIntervalSince1970
        responseDate = entry.responseDate.timeIntervalSince1970
        (selection, isEncoded, self.size) = (entry.selection, entry.isEncoded, size)
    }

    /// Decodes a header. Returns `nil` if it has another form.
    package init?(_ data: Data) {
        guard let header = try? FastJSONDecoder().decode(Self.self, from: data),
            header.headers.allSatisfy({ $0.count == 2 }), (100...999).contains(header.status)
        else { return nil }
        self = header
    }

    /// The JSON text.
    package var data: Data {
        get throws { try JSONEncoder().encode(self) }
    }

    /// Returns the stored response, or `nil` if its URL is invalid.
    package func entry(_ body: ResponseBody, mark: String = "") -> CacheEntry? {
        guard let url = URL(string: url) else { return nil }
        let head = ResponseHead(
            status: status, reason: reason, headers: HeaderFields(headers.map { HeaderFields.Field($0[0], $0[1]) }),
            url: url)
        return CacheEntry(
            head: head, requestDate: Date(timeIntervalSince1970: requestDate),
            responseDate: Date(timeIntervalSince1970: responseDate), selection: selection, isEncoded: isEncoded,
            size: size, mark: mark, body: body)
    }
}
