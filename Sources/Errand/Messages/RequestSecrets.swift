import ErrandSupport

/// The parts of a request that can contain secrets.
///
/// A secret is a value that the request's ``Redaction`` hides because of its name: the value of a header, a query
/// item, a path parameter, a form field or a JSON member. The user information of the URL is also a secret.
package struct RequestSecrets: Sendable {
    /// The maximum size of a body, or of a part of a multipart body, that is searched for secrets: 64 kB. Larger ones
    /// are not searched.
    private static let bodyLimit = 65_536

    private let head: URLRequest
    private let late: [HeaderFields.Field]
    private let body: Data?
    private let parts: [Part]
    private let redaction: Redaction

    /// A part of a multipart body.
    struct Part: Sendable {
        let name: String
        let content: Data
    }

    init(_ head: URLRequest, late: [HeaderFields.Field], body: Data?, parts: [Part], hiding redaction: Redaction) {
        (self.head, self.late, self.redaction) = (head, late, redaction)
        self.body = body.flatMap { $0.count <= Self.bodyLimit ? $0 : nil }
        self.parts = parts.filter { $0.content.count <= Self.bodyLimit }
    }

    /// The values of the secrets, both encoded as in the request and decoded.
    var secrets: [String] {
        let host = head.url?.host()?.lowercased() ?? ""
        // A value that is part of the host name is public, such as a client identifier.
        return (ofFields + ofURL + ofBody + ofParts).filter { !host.contains($0.lowercased()) }
    }

    private var ofFields: [String] {
        let fields = (head.allHTTPHeaderFields ?? [:]).map { HeaderFields.Field($0.key, $0.value) } + late
        return fields.filter { redaction.hides($0.name) }.flatMap { field in
            field.isNamed("Cookie") ? Self.cookies(field.value) : Self.credentials(field.value)
        }
    }

    private static func cookies(_ value: String) -> [String] {
        value.split(separator: ";").map { pair in
            let mark = pair.firstIndex(of: "=").map { pair.index(after: $0) } ?? pair.startIndex
            return pair[mark...].trimmed(.whitespaces)
        }
    }

    /// Returns the complete value, the value without its scheme, and the user name and password of Basic credentials
    /// (RFC 7617, section 2).
    private static func credentials(_ value: String) -> [String] {
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return [value] }
        let rest = words[1].trimmed(.whitespaces)
        guard words[0].lowercased() == "basic", let data = Data(base64Encoded: rest) else { return [value, rest] }
        let pair = String(decoding: data, as: UTF8.self)
        let parts = pair.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return [value, rest, pair] + parts + parts.map(PercentEncoding.formText)
    }

    private var ofURL: [String] {
        guard let url = head.url else { return [] }
        let users = [url.user(percentEncoded: true), url.password(percentEncoded: true)].compactMap(\.self)
        let parameters = url.path(percentEncoded: true).split { "/;,".contains($0) }.flatMap { pairs(of: $0) }
        return (users.flatMap { [$0, PercentEncoding.formText($0)] }) + parameters
            + pairs(of: url.query(percentEncoded: true) ?? "")
    }

    /// Returns the values of hidden names in `name=value` pairs, both encoded and decoded.
    private func pairs(of text: some StringProtocol) -> [String] {
        text.split(separator: "&").flatMap { pair -> [String] in
            let name = pair.prefix { $0 != "=" }
            guard name.count < pair.count, redaction.hides(PercentEncoding.formText(String(name))) else { return [] }
            let value = String(pair.dropFirst(name.count + 1))
            return [
                value, PercentEncoding.formText(value), String(decoding: PercentEncoding.decoded(value), as: UTF8.self),
            ]
        }
    }

    private var ofBody: [String] {
        guard let body, !body.isEmpty else { return [] }
        let type = MediaType(value(ofField: "Content-Type") ?? "")?.essence
        if type == "application/x-www-form-urlencoded" { return pairs(of: String(decoding: body, as: UTF8.self)) }
        return members(ofJSON: body)
    }

    private var ofParts: [String] {
        parts.flatMap { part in
            redaction.hides(part.name)
                ? [String(decoding: part.content, as: UTF8.self)] : members(ofJSON: part.content)
        }
    }

    private func members(ofJSON text: Data) -> [String] {
        guard let json = try? JSONSerialization.jsonObject(with: text) else { return [] }
        return members(of: json, isHidden: false, depth: 0)
    }

    private func value(ofField name: String) -> String? {
        late.first { $0.isNamed(name) }?.value ?? head.value(forHTTPHeaderField: name)
    }

    private func members(of value: Any, isHidden: Bool, depth: Int) -> [String] {
        guard depth < 64 else { return [] }
        switch value {
        case let object as [String: Any]:
            return object.flatMap { members(of: $1, isHidden: isHidden || redaction.hides($0), depth: depth + 1) }
        case let list as [Any]: return list.flatMap { members(of: $0, isHidden: isHidden, depth: depth + 1) }
        case let text as String: return isHidden ? [text] : []
        case let number as NSNumber: return isHidden ? ["\(number)"] : []
        default: return []
        }
    }
}
