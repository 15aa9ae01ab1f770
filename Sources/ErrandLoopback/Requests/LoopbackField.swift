/// One header or trailer field, in the spelling that was or will be sent.
public struct LoopbackField: Sendable, Hashable {
    /// The name, compared without regard to case.
    public var name: String
    /// The value, without white space around it.
    public var value: String

    /// Makes a field. The server replaces line breaks and NUL in either part by spaces when it sends the field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [LoopbackField] {
    /// The value of the first field of that name, in any case; `nil` when there is none.
    public subscript(name: String) -> String? {
        first { $0.name.isSameFieldName(as: name) }?.value
    }

    /// The values of all fields of that name, in any case, in the order in which they stand.
    public func all(_ name: String) -> [String] {
        filter { $0.name.isSameFieldName(as: name) }.map(\.value)
    }
}

extension String {
    func isSameFieldName(as other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}
