/// A header or a trailer, with the letter case that was received or will be sent.
public struct LoopbackHeader: Sendable, Hashable {
    /// The name. Comparisons ignore case.
    public var name: String
    /// The value, without surrounding white space.
    public var value: String

    /// Creates a header. The server replaces line breaks and NUL in both parts by spaces when it sends the header.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [LoopbackHeader] {
    /// The value of the first header with this name, ignoring case, or `nil` if there is none.
    public subscript(name: String) -> String? {
        first { $0.name.isSameHeaderName(as: name) }?.value
    }

    /// The values of all headers with this name, ignoring case, in their order.
    public func all(_ name: String) -> [String] {
        filter { $0.name.isSameHeaderName(as: name) }.map(\.value)
    }
}

extension String {
    func isSameHeaderName(as other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}
