public import Foundation

extension LoopbackRequest {
    /// The path as the client sent it, percent-encoded and without the query.
    ///
    /// `*` for the asterisk form, empty for the authority form of `CONNECT`, and `/` for `http://host`.
    public var path: String { String(TargetParts(target).path) }

    /// The path without percent-encoding. Invalid escapes stay unchanged.
    public var decodedPath: String { PercentEncoding.decoded(TargetParts(target).path, plusIsSpace: false) }

    /// The text after the first `?`, as the client sent it, or `nil` if the target has no `?`.
    public var query: String? { TargetParts(target).query.map { String($0) } }

    /// The decoded name-value pairs of the query, in order, including duplicates.
    ///
    /// `+` is decoded as a space, as in a form. A pair without `=` has a `nil` value. Empty pairs are omitted.
    public var queryItems: [URLQueryItem] {
        guard let query = TargetParts(target).query else { return [] }
        return query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { PercentEncoding.decoded($0, plusIsSpace: true) }
            return URLQueryItem(name: decoded.first ?? "", value: decoded.count > 1 ? decoded[1] : nil)
        }
    }
}

/// The path and the query of a request target, in any of its four forms.
struct TargetParts {
    let path: Substring
    let query: Substring?

    init(_ target: String) {
        let bytes = target.utf8
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
        let beforeQuery = target[..<(mark ?? bytes.endIndex)]
        query = mark.map { target[bytes.index(after: $0)...] }
        if beforeQuery.utf8.first == UInt8(ascii: "/") || beforeQuery == "*" {
            path = beforeQuery
        } else if let scheme = beforeQuery.firstRange(of: "://") {
            let slash = beforeQuery[scheme.upperBound...].utf8.firstIndex(of: UInt8(ascii: "/"))
            path = slash.map { beforeQuery[$0...] } ?? "/"
        } else {
            path = ""
        }
    }
}

enum PercentEncoding {
    /// Decodes percent-encoded UTF-8. Invalid UTF-8 becomes replacement characters.
    static func decoded(_ text: Substring, plusIsSpace: Bool) -> String {
        let source = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            let byte = source[index]
            if byte == UInt8(ascii: "%"), index + 2 < source.count,
                let high = source[index + 1].hexDigitValue, let low = source[index + 2].hexDigitValue
            {
                result.append(UInt8(high << 4 | low))
                index += 3
            } else {
                result.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
