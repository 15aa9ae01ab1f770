import ErrandSupport

/// The items of a query or a form body, in order and including duplicates.
package struct QueryItems: Sendable, Hashable {
    /// The items in the order in which they are sent.
    package let items: [QueryItem]

    /// Creates a list of items.
    package init(_ items: [QueryItem]) {
        self.items = items
    }

    /// Whether the list is empty.
    package var isEmpty: Bool { items.isEmpty }

    /// The items as a query, without the `?` (RFC 3986, section 3.4).
    package var query: String {
        items.map { $0.text(escaping: PercentEncoding.query) }.joined(separator: "&")
    }

    /// The items as a body of type `application/x-www-form-urlencoded` (URL standard, section 5.2).
    package var formBody: Data {
        Data(items.map { $0.text(escaping: PercentEncoding.form) }.joined(separator: "&").utf8)
    }
}
