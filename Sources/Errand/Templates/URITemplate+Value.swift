extension URITemplate {
    /// What a variable of a URI template stands for (RFC 6570, section 2.3).
    ///
    /// The set is closed by the RFC. Literals make one: `"a"`, `["a", "b"]`, `["key": "value"]` (in that order), `nil`.
    /// ```swift
    /// let sort: URITemplate.Value = ["by": "date", "order": "desc"]
    /// try URITemplate("/photos{?sort*}").expand(["sort": sort])       // /photos?by=date&order=desc
    /// ```
    public enum Value: Sendable, Hashable {
        /// No value: the variable is left out of the expansion.
        case undefined
        /// One text; an empty one is defined.
        case string(String)
        /// Texts in their order; an empty list counts as undefined.
        case list([String])
        /// Named texts in their order (an "associative array"); an empty one counts as undefined.
        case pairs([Pair])

        /// One named text of ``pairs(_:)``.
        public struct Pair: Sendable, Hashable {
            /// The name, expanded before the value.
            public let key: String
            /// The value.
            public let value: String

            /// Makes a pair.
            public init(_ key: String, _ value: String) {
                self.key = key
                self.value = value
            }
        }
    }
}

extension URITemplate.Value: ExpressibleByStringLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension URITemplate.Value: ExpressibleByArrayLiteral {
    /// A list.
    public init(arrayLiteral elements: String...) { self = .list(elements) }
}

extension URITemplate.Value: ExpressibleByDictionaryLiteral {
    /// Pairs, in the order of the literal; a key may come twice.
    public init(dictionaryLiteral elements: (String, String)...) { self = .pairs(elements.map { Pair($0.0, $0.1) }) }
}

extension URITemplate.Value: ExpressibleByNilLiteral {
    /// No value.
    public init(nilLiteral: ()) { self = .undefined }
}
