import ErrandSupport

/// The links in the `Link` headers of a message (RFC 8288, section 3).
///
/// ```swift
/// let links = LinkHeader(page.head.headers)
/// let next = links.first("next")?.url(relativeTo: page.head.url)
/// ```
/// Parsing never fails. A malformed link is skipped, and the links after it are still parsed. At most ``linkLimit``
/// links and ``byteLimit`` bytes of all headers together are parsed. ``isTruncated`` tells whether there were more.
public struct LinkHeader: Sendable, Hashable {
    /// The maximum number of links: 1,000. A link with several relations counts once for each (appendix B.2).
    public static let linkLimit: Int = 1_000
    /// The maximum size of all `Link` headers: 64 kB.
    public static let byteLimit: Int = 65_536

    /// The links, in the order of the message.
    public let links: [Link]
    /// Whether the headers exceed ``linkLimit`` or ``byteLimit``. The links beyond the limit are missing.
    public let isTruncated: Bool

    /// Parses the value of one `Link` header.
    public init(_ value: String) {
        self.init(values: [value])
    }

    /// Parses all `Link` headers of a message.
    public init(_ fields: HeaderFields) {
        self.init(values: fields.all("Link"))
    }

    private init(values: [String]) {
        var links: [Link] = []
        var (bytesLeft, linksLeft) = (Self.byteLimit, Self.linkLimit)
        read: for value in values {
            var parser = LinkParser(value.utf8.prefix(max(0, bytesLeft)))
            bytesLeft -= value.utf8.count
            while let link = parser.next() {
                linksLeft -= max(1, link.relations.count)
                if linksLeft < 0 { break read }
                links.append(link)
            }
        }
        isTruncated = bytesLeft < 0 || linksLeft < 0
        self.links = links
    }

    /// Returns the first link with a relation type. Case is ignored.
    ///
    /// A link with an `anchor` is skipped, because it describes a resource other than the requested one
    /// (section 3.2).
    public func first(_ relation: String) -> Link? {
        let relation = relation.lowercased()
        return links.first { $0.anchor == nil && $0.relations.contains(relation) }
    }
}

extension LinkHeader {
    /// A link: a target and its relation to the requested resource.
    public struct Link: Sendable, Hashable {
        /// A target attribute (section 3.4).
        public struct Parameter: Sendable, Hashable {
            /// The name in lower case.
            public let name: String
            /// The value without quotes and escapes. Empty if the attribute has no value.
            public let value: String

            /// Creates an attribute.
            public init(_ name: String, _ value: String) {
                self.name = name.lowercased()
                self.value = value
            }
        }

        /// The unchanged target: a URI or a relative reference.
        public let target: String
        /// The attributes, in order.
        public let parameters: [Parameter]

        /// Creates a link.
        public init(target: String, parameters: [Parameter]) {
            self.target = target
            self.parameters = parameters
        }

        /// The first value of an attribute. The name must be in lower case.
        public subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

        /// The relation types in lower case. Only the first `rel` attribute is used (section 3.3).
        public var relations: [String] {
            (self["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        }

        /// The resource that the link describes, if it differs from that of the message (section 3.2).
        public var anchor: String? { self["anchor"] }

        /// The title for users: `title*` if it can be decoded (RFC 8187), otherwise `title` (section 3.4.1).
        public var title: String? { self["title*"].flatMap(ExtendedValue.text) ?? self["title"] }

        /// Returns the target, resolved against the URL of the response (RFC 3986, section 5.2).
        ///
        /// The URL has the exact text of the target, except that invalid characters are percent-encoded and the dot
        /// segments of a relative reference are removed. Returns `nil` if the result is not a valid URL.
        public func url(relativeTo base: URL) -> URL? { base.resolving(target) }
    }
}

extension LinkHeader.Link: CustomStringConvertible, CustomReflectable {
    /// The redacted target and the relation types.
    public var description: String {
        "<\(Redaction.standard.text(target).singleLine(limit: 200))> \(relations.joined(separator: " ").singleLine(limit: 80))"
    }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
