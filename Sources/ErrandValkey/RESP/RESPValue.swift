package import Foundation

/// A reply of a Valkey or Redis server, in version 2 or 3 of the protocol (RESP).
package enum RESPValue: Sendable, Hashable {
    /// A simple or bulk string, a verbatim string without its format, or a big number as text.
    case text(Data)
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case null
    /// An array or a set.
    case array([RESPValue])
    /// The keys and values in turn.
    case map([RESPValue])
    /// An error of the server, such as `NOSCRIPT No matching script`.
    case error(String)
    /// A message without a request, such as an invalidation.
    case push([RESPValue])

    /// The text, also of an integer.
    package var string: String? {
        switch self {
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .integer(let number): String(number)
        default: nil
        }
    }

    /// The integer, also of a text with a decimal number.
    package var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .text(let bytes): Int64(String(decoding: bytes, as: UTF8.self))
        default: nil
        }
    }

    package var array: [RESPValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The bytes of a text.
    package var bytes: Data? {
        if case .text(let bytes) = self { bytes } else { nil }
    }
}

/// Bytes that are not a reply, or a reply that exceeds a limit. The connection cannot be used any more.
package struct RESPFailure: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
