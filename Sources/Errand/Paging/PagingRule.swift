/// A rule that finds the next page of a list.
///
/// ```swift
/// extension ProductsAPI: PagedHandler {
///     var paging: PagingRule<ProductQuery> { .numbered(\.page, size: 30) }
/// }
/// ```
public struct PagingRule<Input: Sendable>: Sendable {
    /// Returns the next page from the input of the last page, the number of its items and its header section.
    package let next: @Sendable (_ input: Input, _ count: Int, _ head: ResponseHead) throws -> NextPage<Input>

    /// The target of the `Link` header with `rel="next"` (RFC 8288). A response without one is the last page.
    public static var link: Self {
        Self { _, _, head in try .link(in: head) }
    }

    /// Page numbers: the next number, until a page is empty.
    ///
    /// If the response has a `Link` header that names other pages (RFC 8288), the header decides: with a `next` page
    /// there is one more, and without it this page is the last one. The next request uses the number, not the URL of
    /// the link.
    /// - Parameters:
    ///   - page: The number in the input. `nil` counts as the first page, 1.
    ///   - size: The number of items on a full page. A shorter page is the last one, which saves the request for an
    ///     empty page. Leave it out if the handler drops items. `nil` (the default) and numbers below 1 mean that it
    ///     is unknown.
    /// - Returns: The rule.
    public static func numbered(
        _ page: any WritableKeyPath<Input, Int?> & Sendable, size: Int? = nil
    ) -> Self {
        numbered(size, { $0[keyPath: page] ?? 1 }) { $0[keyPath: page] = $1 }
    }

    /// Page numbers that are never `nil`, such as those of an API that counts from 0. Otherwise the same as the rule
    /// for an optional number.
    public static func numbered(
        _ page: any WritableKeyPath<Input, Int> & Sendable, size: Int? = nil
    ) -> Self {
        numbered(size, { $0[keyPath: page] }) { $0[keyPath: page] = $1 }
    }

    private static func numbered(
        _ size: Int?, _ number: @escaping @Sendable (Input) -> Int,
        _ set: @escaping @Sendable (inout Input, Int) -> Void
    ) -> Self {
        Self { input, count, head in
            let (number, isBeyond) = number(input).addingReportingOverflow(1)
            guard !isBeyond, try hasNext(after: count, head, size: size) else { return .end }
            var next = input
            set(&next, number)
            return .input(next)
        }
    }

    private static func hasNext(after count: Int, _ head: ResponseHead, size: Int?) throws(ServiceError) -> Bool {
        let header = LinkHeader(head.headers)
        guard !header.isTruncated else { throw .tooManyLinks }
        if header.first("next") != nil { return true }
        if ["prev", "previous", "first", "last"].contains(where: { header.first($0) != nil }) { return false }
        return count >= max(1, size ?? 1)
    }
}

extension ServiceError {
    static var tooManyLinks: ServiceError {
        ServiceError(.badResponse, "expected at most 1,000 links and 64 kB in the Link headers, found more")
    }
}
