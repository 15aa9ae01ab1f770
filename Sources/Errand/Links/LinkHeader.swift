import ErrandSupport

/// The links of a message's `Link` fields (RFC 8288, section 3).
///
/// ```swift
/// let links = LinkHeader(page.head.fields)
/// let next = links.first("next")?.url(relativeTo: page.head.url)
/// ```
/// Reading never fails: what is no link is left out, and the links after it are still read. At most ``linkLimit`` links
/// and ``byteLimit`` bytes of all lines together are read; ``isTruncated`` says whether there was more.
public struct LinkHeader: Sendable, Hashable {
    /// The most links that are read: 1,000; one of several relations counts as several (appendix B.2).
    public static let linkLimit: Int = 1_000
    /// The most bytes that are read: 64 kB.
    public static let byteLimit: Int = 65_536

    /// The links in the order of the message.
    public let links: [Link]
    /// Whether there was more than is read.
    public let isTruncated: Bool

    /// Reads one field's value.
    public init(_ value: String) {
        self.init(values: [value])
    }

    /// Reads every `Link` line of a message's head.
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

    /// The first link of a relation, compared without case.
    ///
    /// A link with an `anchor` is passed over: it speaks of another resource than the one that was asked for
    /// (section 3.2).
    public func first(_ relation: String) -> Link? {
        let relation = relation.lowercased()
        return links.first { $0.anchor == nil && $0.relations.contains(relation) }
    }
}

extension LinkHeader {
    /// One link: a target, and what it is to the resource that was asked for.
    public struct Link: Sendable, Hashable {
        /// A target attribute (section 3.4).
        public struct Parameter: Sendable, Hashable {
            /// The name in lower case.
            public let name: String
            /// The value without quotes and escapes; empty where there was none.
            public let value: String

            /// Makes an attribute.
            public init(_ name: String, _ value: String) {
                self.name = name.lowercased()
                self.value = value
            }
        }

        /// The target as it was written: a URI or a relative reference.
        public let target: String
        /// The attributes, in order.
        public let parameters: [Parameter]

        /// Makes a link.
        public init(target: String, parameters: [Parameter]) {
            self.target = target
            self.parameters = parameters
        }

        /// The first value of an attribute; the name in lower case.
        public subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

        /// The relation types in lower case; only the first `rel` counts (section 3.3).
        public var relations: [String] {
            (self["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        }

        /// The resource that the link speaks of, where it is another one than the message's.
        public var anchor: String? { self["anchor"] }

        /// The title to show: `title*` where it can be read (RFC 8187), else `title` (section 3.4.1).
        public var title: String? { self["title*"].flatMap(ExtendedValue.text) ?? self["title"] }

        /// The target's address, seen from the address that was asked (RFC 3986, section 5.2).
        ///
        /// It is exactly the one that was written, but for characters that may not stand where they do, which are
        /// percent-encoded, and the dot segments of a relative reference. Nil where it is no address.
        public func url(relativeTo base: URL) -> URL? { base.resolving(target) }
    }
}

extension LinkHeader.Link: CustomStringConvertible, CustomReflectable {
    /// The target and the relations, without what an address may hide.
    public var description: String {
        "<\(Redaction.standard.text(target).singleLine(limit: 200))> \(relations.joined(separator: " ").singleLine(limit: 80))"
    }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
