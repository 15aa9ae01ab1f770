import ErrandSupport

/// Assembles an expanded path. Tracks the start of the query and of the fragment, and the variable in each path
/// segment.
struct PathAssembly {
    private enum Component { case path, query, fragment }

    private var component = Component.path
    private var path: [UInt8] = []
    private var query: [UInt8]?
    private var fragment: [UInt8]?
    private var segmentStart = 0
    private var segmentSource: TemplateExpression.Variable?

    /// Adds the first character of an expression. For `{?…}` and `{&…}`, this is `&` if the query has begun and `?` if
    /// it has not.
    mutating func begin(
        _ kind: TemplateExpression.Operator, _ variable: TemplateExpression.Variable
    ) throws(ServiceError) {
        let isQuery = kind == .query || kind == .continuation
        switch component {
        case .fragment where isQuery || kind == .fragment:
            throw variable.refused("would add a query or a fragment within the fragment")
        case .path where isQuery: try append("?")
        case .query where isQuery:
            if let last = query?.last, last != UInt8(ascii: "&") { try append("&") }
        default: try append(kind.first)
        }
    }

    /// Adds text that is already percent-encoded. The text of a variable cannot start a query or a fragment.
    mutating func append(_ text: String, from variable: TemplateExpression.Variable? = nil) throws(ServiceError) {
        if let variable, component == .path { segmentSource = variable }
        for byte in text.utf8 {
            if let next = nextComponent(at: byte) {
                if let variable { throw variable.refused("would start a query or a fragment") }
                try enter(next)
            } else {
                try append(byte, from: variable)
            }
        }
    }

    /// Returns the components after everything was added.
    mutating func finish() throws(ServiceError) -> URIReference {
        if component == .path { try endSegment() }
        var reference = URIReference("")
        reference.path = String(decoding: path, as: UTF8.self)
        reference.query = query.map { String(decoding: $0, as: UTF8.self) }
        reference.fragment = fragment.map { String(decoding: $0, as: UTF8.self) }
        return reference
    }

    private func nextComponent(at byte: UInt8) -> Component? {
        switch (byte, component) {
        case (UInt8(ascii: "?"), .path): .query
        case (UInt8(ascii: "#"), .path), (UInt8(ascii: "#"), .query): .fragment
        default: nil
        }
    }

    private mutating func enter(_ next: Component) throws(ServiceError) {
        if component == .path { try endSegment() }
        component = next
        if next == .query { query = [] } else { fragment = [] }
    }

    private mutating func append(_ byte: UInt8, from variable: TemplateExpression.Variable?) throws(ServiceError) {
        switch component {
        case .path:
            if byte == UInt8(ascii: "/") { try endSegment() }
            path.appendComponentByte(byte)
            if byte == UInt8(ascii: "/") {
                segmentStart = path.count
                segmentSource = variable
            }
        case .query: query?.appendComponentByte(byte)
        case .fragment: fragment?.appendComponentByte(byte)
        }
    }

    private func endSegment() throws(ServiceError) {
        let segment = String(decoding: path[segmentStart...], as: UTF8.self)
        if let segmentSource, segment.dotSegment != nil { throw segmentSource.refused("would make a dot segment") }
    }
}

extension [UInt8] {
    /// Adds a byte of a path, query or fragment. A bracket or `#` is percent-encoded, because these components must not
    /// contain it.
    fileprivate mutating func appendComponentByte(_ byte: UInt8) {
        if "[]#".utf8.contains(byte) { appendTriplet(byte) } else { append(byte) }
    }
}

extension StringProtocol {
    /// `.` or `..` if this path segment is a dot segment. Dots may also be written as `%2E`, because many servers
    /// decode it.
    var dotSegment: String? {
        guard utf8.count <= 6, let first = utf8.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "%") else {
            return nil
        }
        let plain = lowercased().replacingOccurrences(of: "%2e", with: ".")
        return plain == "." || plain == ".." ? plain : nil
    }
}
