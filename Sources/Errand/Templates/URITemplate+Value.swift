extension URITemplate {
    /// The value of a variable in a URI template (RFC 6570, section 2.3).
    ///
    /// The RFC defines all of the cases. A value can be a literal: `"a"`, `["a", "b"]`, `["key": "value"]` (which keeps
    /// its order) or `nil`.
    /// ```swift
    /// let sort: URITemplate.Value = ["by": "date", "order": "desc"]
    /// try URITemplate("/photos{?sort*}").expand(["sort": sort])       // /photos?by=date&order=desc
    /// ```
    public enum Value: Sendable, Hashable {
        /// No value. The variable is omitted from the expansion.
        case undefined
        /// A string. An empty string is defined.
        case string(String)
        /// Strings in order. An empty list is undefined.
        case list([String])
        /// Pairs of a name and a string, in order (an "associative array"). An empty array is undefined.
        case pairs([Pair])

        /// A name and a string of ``pairs(_:)``.
        public struct Pair: Sendable, Hashable {
            /// The name, which is expanded before the value.
            public let key: String
            /// The value.
            public let value: String

            /// Creates a pair.
            public init(_ key: String, _ value: String) {
                self.key = key
                self.value = value
            }
        }
    }
}

extension URITemplate.Value: ExpressibleByStringLiteral {
    /// Creates a string value.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension URITemplate.Value: ExpressibleByArrayLiteral {
    /// Creates a list.
    public init(arrayLiteral elements: String...) { self = .list(elements) }
}

extension URITemplate.Value: ExpressibleByDictionaryLiteral {
    /// Creates pairs in the order of the literal. A key may occur more than once.
    public init(dictionaryLiteral elements: (String, String)...) { self = .pairs(elements.map { Pair($0.0, $0.1) }) }
}

extension URITemplate.Value: ExpressibleByNilLiteral {
    /// Creates an undefined value.
    public init(nilLiteral: ()) { self = .undefined }
}
