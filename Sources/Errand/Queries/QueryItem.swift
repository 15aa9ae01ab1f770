/// One name and its value in a query or a form body, both as plain text.
package struct QueryItem: Sendable, Hashable {
    /// The name, brackets of nested names included.
    package let name: String
    /// The value; more than one text where an array is written separated by commas.
    package let elements: [String]

    /// Makes an item of a name and its value.
    package init(_ name: String, _ value: String) {
        self.init(name, elements: [value])
    }

    /// Makes an item whose value is a list separated by commas.
    package init(_ name: String, elements: [String]) {
        self.name = name
        self.elements = elements
    }

    /// The item as `name=value`, both parts escaped, the commas between elements bare.
    func text(escaping escape: (String) -> String) -> String {
        escape(name) + "=" + elements.map(escape).joined(separator: ",")
    }
}
