import ErrandSupport

/// Header fields in the order of the message, duplicates kept, names compared without case (RFC 9110, section 5).
///
/// ```swift
/// var fields: HeaderFields = ["Accept": "application/json"]
/// fields["accept"]                     // "application/json"
/// fields.append("Set-Cookie", "a=1")
/// fields.all("set-cookie")             // ["a=1"]
/// ```
/// Its description masks the values that ``Redaction/standard`` names.
public struct HeaderFields: Sendable {
    /// One line of a message's head.
    public struct Field: Sendable, Hashable {
        /// The name as it was written.
        public let name: String
        /// The value without the white space around it.
        public let value: String

        /// Makes a field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    private var fields: [Field] = []

    /// Makes an empty list.
    public init() {}

    /// Makes a list of fields in their order.
    public init(_ fields: some Sequence<Field>) {
        self.fields = Array(fields)
    }

    /// The first value of a field. Setting replaces every line of that name at the place of the first; nil removes them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.isNamed(name) }?.value }
        set {
            let place = fields.firstIndex { $0.isNamed(name) }
            fields.removeAll { $0.isNamed(name) }
            guard let newValue else { return }
            fields.insert(Field(name, newValue), at: place ?? fields.count)
        }
    }

    /// Every value of a field, in order.
    public func all(_ name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }

    /// The field's lines joined by a comma and a space (RFC 9110, section 5.3), nil where there are none.
    ///
    /// Not for `Set-Cookie`, whose values may hold commas: use ``all(_:)``.
    public func combined(_ name: String) -> String? {
        let values = all(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Adds a line, also where the name is there already.
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

extension HeaderFields: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { fields.startIndex }
    /// The number of lines.
    public var endIndex: Int { fields.endIndex }
    /// The line at a place.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HeaderFields: Hashable {}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    /// Takes a literal's pairs in their order, duplicates too.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field($0.0, $0.1) }
    }
}

extension HeaderFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text that is safe to print.
    public var description: String { description(hiding: .standard) }

    func description(hiding redaction: Redaction) -> String {
        fields.map { $0.description(hiding: redaction) }.joined(separator: "; ")
    }

    /// The text that is safe to print.
    public var debugDescription: String { "[\(description)]" }
    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .collection) }
}

extension HeaderFields.Field: CustomStringConvertible, CustomReflectable {
    /// The text that is safe to print.
    public var description: String { description(hiding: .standard) }

    func description(hiding redaction: Redaction) -> String {
        description(hiding: redaction, nil)
    }

    func description(hiding redaction: Redaction, _ secrets: CarriedSecrets?) -> String {
        let (name, value) = (secrets?.masked(name) ?? name, secrets?.masked(value) ?? value)
        return "\(name.singleLine()): \(redaction.value(ofHeader: self.name, value))"
    }

    /// What reflection may show.
    public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}
