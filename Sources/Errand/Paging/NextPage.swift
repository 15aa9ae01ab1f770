import ErrandSupport

/// Where the page after one is.
public enum NextPage<Input: Sendable>: Sendable {
    /// There is none.
    case end
    /// Where this input leads: the next number, the cursor that the page's body names.
    case input(Input)
    /// At an address that the server named.
    case link(URL)
}

extension NextPage {
    /// The target of a `Link` field (RFC 8288), seen from the address that answered; ``end`` where there is none.
    ///
    /// - Parameters:
    ///   - head: The page's head.
    ///   - relation: What the target is to the page.
    /// - Returns: The address, or the end.
    /// - Throws: ``ServiceError`` with ``ServiceError/Code/badResponse`` where the target is no address, and where there are
    ///   more links than are read.
    public static func link(in head: ResponseHead, relation: String = "next") throws(ServiceError) -> NextPage {
        let header = LinkHeader(head.fields)
        guard !header.isTruncated else { throw .tooManyLinks }
        guard let link = header.first(relation) else { return .end }
        guard let url = link.url(relativeTo: head.url) else {
            throw ServiceError(.badResponse, "the server's \(relation.singleLine(limit: 40)) link is no address")
        }
        return .link(url)
    }
}

extension NextPage: Equatable where Input: Equatable {}

extension NextPage: CustomStringConvertible, CustomReflectable {
    /// The kind, and an address without what it may hide; never an input.
    public var description: String {
        switch self {
        case .end: "end"
        case .input: "input"
        case .link(let url): "link to \(Redaction.standard.address(url))"
        }
    }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
