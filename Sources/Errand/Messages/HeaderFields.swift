import ErrandSupport

/// The headers of a message, in order and with duplicates. The case of names is ignored (RFC 9110, section 5).
///
/// ```swift
/// var headers: HeaderFields = ["Accept": "application/json"]
/// headers["accept"]                    // "application/json"
/// headers.append("Set-Cookie", "a=1")
/// headers.all("set-cookie")            // ["a=1"]
/// ```
/// The description masks the values that ``Redaction/standard`` hides.
public struct HeaderFields: Sendable {
    /// A header: a name and a value.
    public struct Field: Sendable, Hashable {
        /// The name in its original case.
        public let name: String
        /// The value without surrounding white space.
        public let value: String

        /// Creates a header.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    private var fields: [Field] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list of headers, in order.
    public init(_ fields: some Sequence<Field>) {
        self.fields = Array(fields)
    }

    /// The first value of a header. A new value replaces all headers with the name, at the index of the first. `nil`
    /// removes them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.isNamed(name) }?.value }
        set {
            let place = fields.firstIndex { $0.isNamed(name) }
            fields.removeAll { $0.isNamed(name) }
            guard let newValue else { return }
            fields.insert(Field(name, newValue), at: place ?? fields.count)
        }
    }

    /// Returns all values of a header, in order.
    public func all(_ name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }

    /// Returns all values of a header, joined by a comma and a space (RFC 9110, section 5.3), or `nil` if it is
    /// missing.
    ///
    /// Do not use it for `Set-Cookie`, because its values may contain commas. Use ``all(_:)`` instead.
    public func combined(_ name: String) -> String? {
        let values = all(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Appends a header, even if the list already has one with the name.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }
}

extension HeaderFields.Field {
    func isNamed(_ other: String) -> Bool {
        guard name.utf8.count == other.utf8.count else { return false }
        var own = name.utf8.makeIterator()
        var their = other.utf8.makeIterator()
        while let one = own.next(), let another = their.next() {
            if one != another, one.lowercased != another.lowercased { return false }
        }
        return true
    }
}

extension HeaderFields.Field {
    /// The reason why this header cannot be sent, without its value. `nil` if the header is valid.
    package var flaw: String? {
        guard name.isToken else { return "invalid header name: expected a token" }
        guard !value.utf8.contains(where: { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") || $0 == 0 }) else {
            return "invalid value of \(name): found a line break or NUL"
        }
        return nil
    }
}

extension HeaderFields: RandomAccessCollection {
    /// The index of the first header: 0.
    public var startIndex: Int { fields.startIndex }
    /// The number of headers.
    public var endIndex: Int { fields.endIndex }
    /// The header at an index.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HeaderFields: Hashable {}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    /// Creates a list from a dictionary literal, in order and with duplicates.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field($0.0, $0.1) }
    }
}

extension HeaderFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The redacted headers, separated by semicolons.
    public var description: String { description(hiding: .standard) }

    func description(hiding redaction: Redaction) -> String {
        fields.map { $0.description(hiding: redaction) }.joined(separator: "; ")
    }

    /// The ``description`` in brackets.
    public var debugDescription: String { "[\(description)]" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .collection) }
}

extension HeaderFields.Field: CustomStringConvertible, CustomReflectable {
    /// The name and the redacted value.
    public var description: String { description(hiding: .standard) }

    func description(hiding redaction: Redaction) -> String {
        description(hiding: redaction, nil)
    }

    func description(hiding redaction: Redaction, _ secrets: CarriedSecrets?) -> String {
        let (name, value) = (secrets?.masked(name) ?? name, secrets?.masked(value) ?? value)
        return "\(name.singleLine()): \(redaction.value(ofHeader: self.name, value))"
    }

    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}
