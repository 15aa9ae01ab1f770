public import Errand

/// The conditions for the requests of a route. Every condition that is set must be met.
///
/// ```swift
/// RequestMatcher(.get, "/v1/photos", query: ["page": "2"])
/// RequestMatcher(.post, "/v1/comments", headers: ["X-Tenant": "north"], body: .json(#"{"text":"hi"}"#))
/// RequestMatcher(.get, "/v1/photos/*")        // a star is one path segment
/// ```
public struct RequestMatcher: Sendable, Hashable {
    /// The method. If `nil`, any method matches.
    public var method: HTTPMethod?
    /// The percent-encoded path from its first slash, without a query. A `*` segment matches any single segment. If
    /// `nil`, any path matches.
    public var path: String?
    /// The host, without a port. If `nil`, any host matches.
    public var host: String?
    /// The required query items, percent-decoded (a `+` stays unchanged). Only the first item of each name is
    /// compared. Further items are allowed.
    public var query: [String: String]
    /// The required headers. Names are compared without case. Further headers are allowed.
    public var headers: [String: String]
    /// The condition for the body. If `nil`, any body matches.
    public var body: BodyMatcher?

    /// Creates a matcher from its conditions.
    public init(
        _ method: HTTPMethod? = nil, _ path: String? = nil, host: String? = nil, query: [String: String] = [:],
        headers: [String: String] = [:], body: BodyMatcher? = nil
    ) {
        self.method = method
        self.path = path
        self.host = host
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// Matches every request.
    public static let any: Self = .init()

    /// Whether a request meets all conditions.
    public func matches(_ request: APIRequest) -> Bool { mismatches(request).isEmpty }
}

extension RequestMatcher {
    /// The differences from a request, one line for each condition. Empty if the request matches.
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
            // Compared as bytes, because Swift treats canonically equivalent strings as equal, and a server does not.
            if let got, got.utf8.elementsEqual(value.utf8) { continue }
            let shown = redaction.hides(name) ? [Redaction.mask, got.map { _ in Redaction.mask }] : [value, got]
            lines.append("query \(name): expected \(shown[0] ?? ""), got \(shown[1] ?? "none")")
        }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            let got = request.headers[name]
            guard got != value else { continue }
            let shown = got.map { redaction.value(ofHeader: name, $0) }
            lines.append("\(name): expected \(redaction.value(ofHeader: name, value)), got \(shown ?? "none")")
        }
        return lines + (body?.mismatch(request).map { [$0] } ?? [])
    }

    /// Compares paths by segment, so that a `*` matches exactly one segment.
    private static func matches(_ pattern: String, _ path: String) -> Bool {
        let expected = pattern.split(separator: "/", omittingEmptySubsequences: false)
        let segments = (path.isEmpty ? "/" : path).split(separator: "/", omittingEmptySubsequences: false)
        return expected.count == segments.count && zip(expected, segments).allSatisfy { $0 == "*" || $0 == $1 }
    }
}

extension RequestMatcher: CustomStringConvertible {
    /// The method, the path and the other conditions on one line, with secrets masked.
    public var description: String {
        let redaction = Redaction.standard
        let items = query.sorted { $0.key < $1.key }
            .map { "\($0.key)=\(redaction.hides($0.key) ? Redaction.mask : redaction.text($0.value))" }
            .joined(separator: "&")
        let target = (host.map { "//\($0)" } ?? "") + (path ?? "*")
        let headers = headers.sorted { $0.key < $1.key }
            .map { "; \($0.key): \(redaction.value(ofHeader: $0.key, $0.value))" }.joined()
        let rest = headers + (body.map { "; body \($0)" } ?? "")
        return "\(method?.rawValue ?? "*") \(redaction.text(target))\(items.isEmpty ? "" : "?\(items)")\(rest)"
    }
}
