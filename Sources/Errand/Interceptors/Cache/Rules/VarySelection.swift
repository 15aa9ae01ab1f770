import ErrandSupport

/// The values of the request headers that select a variant of a resource (RFC 9111, section 4.1).
public struct VarySelection: Sendable, Hashable, Codable {
    /// The maximum number of names in `Vary` headers. A response with more is not stored.
    private static let maximumCount = 32
    /// Headers with a set of values. Their case has no meaning.
    private static let sets: Set<String> = ["accept-language", "accept-encoding", "accept-charset"]

    /// The normalized values by the lower-case names of the headers. A missing header has no value.
    private let values: [String: String?]

    /// Creates the selection of a response without `Vary`, which every request matches.
    public init() {
        values = [:]
    }

    /// Creates the selection of a response to a request. Returns `nil` if no request can match it (`Vary: *`).
    package init?(_ headers: HeaderFields, of request: APIRequest) {
        let names = headers.all("Vary").flatMap { $0.split(separator: ",") }
            .map { $0.trimmed(.whitespaces).lowercased() }.filter { !$0.isEmpty }
        guard !names.contains("*"), names.count <= Self.maximumCount else { return nil }
        values = Dictionary(
            names.map { ($0, Self.normalized(request.value(ofField: $0), of: $0)) }, uniquingKeysWith: { $1 })
    }

    /// Whether every request selects this variant.
    var isEmpty: Bool { values.isEmpty }

    /// Whether the variant depends on credentials that the request does not have yet, because an inner interceptor or the
    /// transport adds them.
    func isUnknown(_ request: APIRequest) -> Bool {
        let names = request.options.identity == nil ? ["cookie", "authorization"] : ["cookie"]
        return names.contains { values[$0] == .some(nil) }
    }

    /// Whether a request selects this variant.
    func matches(_ request: APIRequest) -> Bool {
        values.allSatisfy { name, value in Self.normalized(request.value(ofField: name), of: name) == value }
    }

    /// Returns a value without the white space around the members of its list. In a set, the case is ignored.
    private static func normalized(_ value: String?, of name: String) -> String? {
        guard let value else { return nil }
        // The members of quoted strings cannot be told apart without knowing the header.
        guard !value.utf8.contains(UInt8(ascii: "\"")) else { return value.trimmed(.whitespaces) }
        var members = value.split(separator: ",").map { $0.trimmed(.whitespaces) }.filter { !$0.isEmpty }
        if sets.contains(name) { members = members.map { $0.lowercased().filter { $0 != " " } } }
        // The order of languages can be a priority (RFC 9110, section 12.5.4), that of encodings has no meaning.
        if name == "accept-encoding" { members.sort() }
        return members.joined(separator: ",")
    }
}
