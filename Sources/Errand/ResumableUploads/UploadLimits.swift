import ErrandSupport

/// The limits in an `Upload-Limit` header (draft-ietf-httpbis-resumable-upload-12, section "Limits").
package struct UploadLimits: Sendable, Hashable {
    /// The maximum size of the content.
    package var size: Int64?
    /// The minimum number of bytes in a request, unless it has the last bytes.
    package var minimumChunk: Int64?
    /// The maximum number of bytes in a request.
    package var maximumChunk: Int64?

    /// Creates a value without limits.
    package init(size: Int64? = nil, minimumChunk: Int64? = nil, maximumChunk: Int64? = nil) {
        self.size = size
        self.minimumChunk = minimumChunk
        self.maximumChunk = maximumChunk
    }

    /// Parses a header. Returns `nil` if it is missing or not a dictionary of a structured field, or if the value of a
    /// known key is not a positive integer. Unknown keys are ignored.
    package init?(_ text: String?) {
        guard let text, let members = StructuredField.dictionary(text) else { return nil }
        for (key, value) in members {
            guard ["max-size", "min-append-size", "max-append-size"].contains(key) else { continue }
            guard let number = StructuredField.integer(value) else { return nil }
            switch key {
            case "max-size": size = number
            case "min-append-size": minimumChunk = number
            default:
                guard number > 0 else { return nil }
                maximumChunk = number
            }
        }
    }
}

/// The parsers of the structured fields that uploads use (RFC 9651, section 4.2).
package enum StructuredField {
    /// Returns the value of an item that is a non-negative integer, without its parameters.
    package static func integer(_ text: String?) -> Int64? {
        guard let item = bare(text), item.utf8.count <= 15 else { return nil }
        return Int64(digits: item)
    }

    /// Returns the value of an item that is a boolean, without its parameters.
    package static func boolean(_ text: String?) -> Bool? {
        switch bare(text) {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    private static func bare(_ text: String?) -> String? {
        text.map { $0.prefix { $0 != ";" }.trimmed(.whitespaces) }
    }

    /// Returns the members of a dictionary, with the text of their values. A member without a value is `?1`. The last
    /// one of several members with the same key applies. Returns `nil` for an invalid key.
    package static func dictionary(_ text: String) -> [String: String]? {
        var members: [String: String] = [:]
        for member in split(text) {
            let key = member.prefix { $0 != "=" && $0 != ";" }
            guard let first = key.utf8.first, first.isLowercase || first == UInt8(ascii: "*"),
                key.utf8.allSatisfy({ $0.isLowercase || $0.isDigit || "_-.*".utf8.contains($0) })
            else { return nil }
            let rest = member.dropFirst(key.count)
            members[String(key)] = rest.hasPrefix("=") ? String(rest.dropFirst()) : "?1"
        }
        return members
    }

    /// Splits a text at the commas outside of quoted strings.
    private static func split(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        var (members, start, index): ([String], Int, Int) = ([], 0, 0)
        while index <= bytes.count {
            if index == bytes.count || bytes[index] == UInt8(ascii: ",") {
                members.append(String(decoding: bytes[start..<index], as: UTF8.self).trimmed(.whitespaces))
                start = index + 1
            }
            let isQuote = index < bytes.count && bytes[index] == UInt8(ascii: "\"")
            index += 1
            if isQuote { _ = QuotedString.rest(of: bytes, from: &index) }
        }
        return members
    }
}

extension UInt8 {
    fileprivate var isLowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
