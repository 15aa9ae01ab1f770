internal import Errand
internal import ErrandLoopback
import ErrandSupport

/// The caching headers of catalogue responses (RFC 9110, section 8.8, and RFC 9111).
extension CatalogueService {
    /// The lifetime of a cached response.
    enum Lifetime: Int {
        /// Validated for each use, such as the first page of a list, which begins with new uploads.
        case none = 0
        /// Used for a minute without a request, such as a later page of a list.
        case minute = 60
    }

    /// Returns a JSON response that clients can store and validate, or status 304 if the client has it already.
    ///
    /// - Parameters:
    ///   - value: The value of the body.
    ///   - headers: More headers. They are part of the entity tag, so that a 304 never hides a change of them.
    ///   - request: The request.
    ///   - lifetime: The lifetime of the response.
    /// - Returns: The response.
    func cacheable(
        _ value: some Encodable, _ headers: [LoopbackHeader] = [], for request: LoopbackRequest, lifetime: Lifetime
    ) -> LoopbackReply {
        // The members are sorted. Otherwise, the entity tag would change with each run of the server.
        guard let data = try? JSONEncoder.errand.encode(value) else { return .status(500) }
        let text = headers.map { "\($0.name): \($0.value)\n" }.joined()
        let tag = Catalogue.entityTag(of: data + Data(text.utf8))
        var reply = request.has(tag) ? LoopbackReply.status(304) : .json(data)
        reply.headers += [
            LoopbackHeader("Cache-Control", "max-age=\(lifetime.rawValue)"), LoopbackHeader("ETag", tag),
        ]
        // A restart removes the uploads, and with them the latest change. So a date cannot show that nothing has
        // changed, and the server ignores `If-Modified-Since`.
        if let date = allPhotos.map(\.updatedAt).max() {
            let text = HTTPDate.text(secondsSince1970: Int64(date.timeIntervalSince1970))
            reply.headers.append(LoopbackHeader("Last-Modified", text))
        }
        reply.headers += headers
        return reply
    }
}

extension LoopbackRequest {
    /// Whether `If-None-Match` has the entity tag of the current response, or `*`. The comparison is weak (RFC 9110,
    /// section 13.1.2).
    func has(_ tag: String) -> Bool {
        // A tag can contain commas. The tags of this server do not.
        let members = all("If-None-Match").flatMap { $0.split(separator: ",") }.map { $0.trimmed() }
        return members.contains { member in
            member == "*" || (member.hasPrefix("W/") ? member.dropFirst(2) : member[...]) == tag
        }
    }
}
