// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations of swift-nio 2.101.3: https://github.com/apple/swift-nio/blob/2.101.3/Sources/NIOHTTP1/HTTPTypes.swift
// Only the declarations that the recipes and their tests use.

public enum HTTPMethod: Equatable, Sendable {
    case GET, POST
    case RAW(value: String)
}

extension HTTPMethod: RawRepresentable {
    public var rawValue: String {
        switch self {
        case .GET: "GET"
        case .POST: "POST"
        case .RAW(let value): value
        }
    }

    public init(rawValue: String) {
        self = rawValue == "GET" ? .GET : rawValue == "POST" ? .POST : .RAW(value: rawValue)
    }
}

public struct HTTPHeaders: Sendable, RandomAccessCollection {
    public typealias Element = (name: String, value: String)

    private var headers: [Element]

    public init(_ headers: [(String, String)] = []) {
        self.headers = headers
    }

    public mutating func add(name: String, value: String) { headers.append((name, value)) }

    public var startIndex: Int { headers.startIndex }
    public var endIndex: Int { headers.endIndex }
    public subscript(position: Int) -> Element { headers[position] }
}

public enum HTTPResponseStatus: Sendable {
    case ok
    case custom(code: UInt, reasonPhrase: String)

    public init(statusCode: Int, reasonPhrase: String = "") {
        self = statusCode == 200 ? .ok : .custom(code: UInt(statusCode), reasonPhrase: reasonPhrase)
    }

    public var code: UInt {
        switch self {
        case .ok: 200
        case .custom(let code, _): code
        }
    }

    public var reasonPhrase: String {
        switch self {
        case .ok: "OK"
        case .custom(_, let reasonPhrase): reasonPhrase
        }
    }
}
