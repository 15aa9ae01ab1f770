public import Errand

/// Which requests a route answers: each part that is named must hold, whatever is not named may be anything.
///
/// ```swift
/// RequestMatcher(.get, "/v1/photos", query: ["page": "2"])
/// RequestMatcher(.post, "/v1/comments", fields: ["X-Tenant": "north"], body: .json(#"{"text":"hi"}"#))
/// RequestMatcher(.get, "/v1/photos/*")        // a star is one path segment
/// ```
public struct RequestMatcher: Sendable, Hashable {
    /// The method; nil is any.
    public var method: HTTPMethod?
    /// The percent-encoded path from its first slash, without a query; a segment `*` is any one segment. Nil is any.
    public var path: String?
    /// The host, without a port. Nil is any.
    public var host: String?
    /// Query items that must be there, percent-decoded (a `+` stays one): the first of each name counts. More may be
    /// there.
    public var query: [String: String]
    /// Header fields that must be there with these values; names without case. More may be there.
    public var fields: [String: String]
    /// What the body must be; nil is any.
    public var body: BodyMatcher?

    /// Names the parts that must hold.
    public init(
        _ method: HTTPMethod? = nil, _ path: String? = nil, host: String? = nil, query: [String: String] = [:],
        fields: [String: String] = [:], body: BodyMatcher? = nil
    ) {
        self.method = method
        self.path = path
        self.host = host
        self.query = query
        self.fields = fields
        self.body = body
    }

    /// Every request.
    public static let any: Self = .init()

    /// Whether a request is one of these.
    public func matches(_ request: APIRequest) -> Bool { mismatches(request).isEmpty }
}

extension RequestMatcher {
    /// What is otherwise in a request, a line for each part; empty where it matches.
    package func mismatches(_ request: APIRequest) -> [String] {
        var lines: [String] = []
        func compare(_ part: String, _ expected: String?, _ got: String?) {
            guard let expected, expected != got else { return }
            lines.append("\(part): expected \(expected), got \(got ?? "none")")
        }
        let redaction = request.options.redaction
        compare("method", method?.rawValue, request.method.rawValue)
        compare("host", host?.lowercased(), request.url?.host()?.lowercased())
        if let path, !Self.matches(path, request.path) { compare("path", path, request.path) }
        let items = request.queryItems
        for (name, value) in query.sorted(by: { $0.key < $1.key }) {
            let got = items.first { $0.name == name }?.value ?? nil
            // Bytes: two spellings of one letter are one text to Swift and two to a server.
            if let got, got.utf8.elementsEqual(value.utf8) { continue }
            let shown = redaction.hides(name) ? [Redaction.mask, got.map { _ in Redaction.mask }] : [value, got]
            lines.append("query \(name): expected \(shown[0] ?? ""), got \(shown[1] ?? "none")")
        }
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            let got = request.fields[name]
            guard got != value else { continue }
            let shown = got.map { redaction.value(ofHeader: name, $0) }
            lines.append("\(name): expected \(redaction.value(ofHeader: name, value)), got \(shown ?? "none")")
        }
        return lines + (body?.mismatch(request).map { [$0] } ?? [])
    }

    /// Compares paths segment by segment, so that a star stands for one of them.
    private static func matches(_ pattern: String, _ path: String) -> Bool {
        let expected = pattern.split(separator: "/", omittingEmptySubsequences: false)
        let segments = (path.isEmpty ? "/" : path).split(separator: "/", omittingEmptySubsequences: false)
        return expected.count == segments.count && zip(expected, segments).allSatisfy { $0 == "*" || $0 == $1 }
    }
}

extension RequestMatcher: CustomStringConvertible {
    /// One line: method, path, and what else must hold; secrets masked.
    public var description: String {
        let redaction = Redaction.standard
        let items = query.sorted { $0.key < $1.key }
            .map { "\($0.key)=\(redaction.hides($0.key) ? Redaction.mask : redaction.text($0.value))" }
            .joined(separator: "&")
        let address = (host.map { "//\($0)" } ?? "") + (path ?? "*")
        let headers = fields.sorted { $0.key < $1.key }
            .map { "; \($0.key): \(redaction.value(ofHeader: $0.key, $0.value))" }.joined()
        let rest = headers + (body.map { "; body \($0)" } ?? "")
        return "\(method?.rawValue ?? "*") \(redaction.text(address))\(items.isEmpty ? "" : "?\(items)")\(rest)"
    }
}
