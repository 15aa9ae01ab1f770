/// A name and its value in a query or a form body, without percent-encoding.
package struct QueryItem: Sendable, Hashable {
    /// The name, including the brackets of a nested name.
    package let name: String
    /// The value. It has several elements for a comma-separated array.
    package let elements: [String]

    /// Creates an item from a name and its value.
    package init(_ name: String, _ value: String) {
        self.init(name, elements: [value])
    }

    /// Creates an item that has a comma-separated list as its value.
    package init(_ name: String, elements: [String]) {
        self.name = name
        self.elements = elements
    }

    /// Returns `name=value`. The name and the elements are escaped, the commas between elements are not.
    func text(escaping escape: (String) -> String) -> String {
        escape(name) + "=" + elements.map(escape).joined(separator: ",")
    }
}
