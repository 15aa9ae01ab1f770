// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of swift-http-types 1.6.0: https://github.com/apple/swift-http-types/tree/1.6.0/Sources/HTTPTypes
// (HTTPRequest.swift, HTTPResponse.swift, HTTPField.swift, HTTPFieldName.swift, HTTPFields.swift).
// Only the declarations that the recipes and their tests use.

public struct HTTPField: Sendable, Hashable {
    public struct Name: Sendable, Hashable {
        public let rawName: String
        public let canonicalName: String

        public init?(_ name: String) {
            guard !name.isEmpty, name.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != 0x3A }) else { return nil }
            rawName = name
            canonicalName = name.lowercased()
        }

        private init(rawName: String, canonicalName: String) {
            self.rawName = rawName
            self.canonicalName = canonicalName
        }

        public static var contentLength: Self { Name(rawName: "Content-Length", canonicalName: "content-length") }

        public func hash(into hasher: inout Hasher) { hasher.combine(canonicalName) }
        public static func == (lhs: Name, rhs: Name) -> Bool { lhs.canonicalName == rhs.canonicalName }
    }

    public var name: Name
    public var value: String

    public init(name: Name, value: String) {
        self.name = name
        self.value = value
    }
}

public struct HTTPFields: Sendable, Equatable, RandomAccessCollection, RangeReplaceableCollection,
    MutableCollection
{
    private var fields: [HTTPField] = []

    public init() {}

    public subscript(name: HTTPField.Name) -> String? {
        let values = self[values: name]
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    public subscript(values name: HTTPField.Name) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    public var startIndex: Int { fields.startIndex }
    public var endIndex: Int { fields.endIndex }
    public subscript(position: Int) -> HTTPField {
        get { fields[position] }
        set { fields[position] = newValue }
    }
    public mutating func replaceSubrange<C: Collection>(_ subrange: Range<Int>, with newElements: C)
    where C.Element == HTTPField { fields.replaceSubrange(subrange, with: newElements) }
}

public struct HTTPRequest: Sendable, Equatable {
    public struct Method: Sendable, Hashable, RawRepresentable {
        public let rawValue: String

        public init?(_ method: String) { self.init(rawValue: method) }
        public init?(rawValue: String) {
            guard HTTPField.Name(rawValue) != nil else { return nil }
            self.rawValue = rawValue
        }
    }

    public var method: Method
    public var scheme: String?
    public var authority: String?
    public var path: String?
    public var headerFields: HTTPFields

    public init(
        method: Method, scheme: String?, authority: String?, path: String?, headerFields: HTTPFields = HTTPFields()
    ) {
        self.method = method
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.headerFields = headerFields
    }
}

public struct HTTPResponse: Sendable, Equatable {
    public struct Status: Sendable, Hashable {
        public let code: Int
        public let reasonPhrase: String

        public init(code: Int, reasonPhrase: String = "") {
            self.code = code
            self.reasonPhrase = reasonPhrase
        }
    }

    public var status: Status
    public var headerFields: HTTPFields

    public init(status: Status, headerFields: HTTPFields = HTTPFields()) {
        self.status = status
        self.headerFields = headerFields
    }
}
