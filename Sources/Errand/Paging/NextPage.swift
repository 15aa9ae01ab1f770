import ErrandSupport

/// The next page of a list.
public enum NextPage<Input: Sendable>: Sendable {
    /// The end of the list.
    case end
    /// The page for an input, such as the next number or the cursor in the body of the page.
    case input(Input)
    /// The page at a URL that the server provided.
    case link(URL)
}

extension NextPage {
    /// Returns the target of a `Link` header (RFC 8288), resolved against the URL of the response.
    ///
    /// - Parameters:
    ///   - head: The header section of the page.
    ///   - relation: The relation type of the link. The default is `next`.
    /// - Returns: The link, or ``end`` if the header section has no such link.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` if the target is not a valid URL, or if the
    ///   headers exceed the limits of ``LinkHeader``.
    public static func link(in head: ResponseHead, relation: String = "next") throws(ServiceError) -> NextPage {
        let header = LinkHeader(head.headers)
        guard !header.isTruncated else { throw .tooManyLinks }
        guard let link = header.first(relation) else { return .end }
        guard let url = link.url(relativeTo: head.url) else {
            throw ServiceError(
                .badResponse, "invalid \(relation.singleLine(limit: 40)) link: expected a URL or a relative reference")
        }
        return .link(url)
    }
}

extension NextPage: Equatable where Input: Equatable {}

extension NextPage: CustomStringConvertible, CustomReflectable {
    /// The kind of the page and, for a link, the redacted URL. Never contains an input.
    public var description: String {
        switch self {
        case .end: "end"
        case .input: "input"
        case .link(let url): "link to \(Redaction.standard.url(url))"
        }
    }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
