/// The fields of a `traceparent` header (W3C Trace Context, section 3.2.2).
struct TraceParentFields {
    let traceID: String
    let parentID: String
    let flags: UInt8

    /// Parses a value. White space around it is ignored (RFC 9110, section 5.5).
    init?(_ value: String) {
        let bytes = Array(value.utf8.trimmedWhitespace)
        guard bytes.count >= 55, bytes[0..<2].areDigits, !bytes[0..<2].elementsEqual("ff".utf8) else { return nil }
        // A higher version may add fields after a dash.
        let isVersion0 = bytes[0..<2].elementsEqual("00".utf8)
        guard bytes.count == 55 || !isVersion0 && bytes[55] == .dash else { return nil }
        guard bytes[2] == .dash, bytes[35] == .dash, bytes[52] == .dash else { return nil }
        guard bytes[3..<35].isIdentifier, bytes[36..<52].isIdentifier, bytes[53..<55].areDigits else { return nil }
        guard let flags = UInt8(String(decoding: bytes[53..<55], as: UTF8.self), radix: 16) else { return nil }
        traceID = String(decoding: bytes[3..<35], as: UTF8.self)
        parentID = String(decoding: bytes[36..<52], as: UTF8.self)
        self.flags = flags
    }
}

/// The list of a `tracestate` header (W3C Trace Context, section 3.3.2).
enum TraceState {
    /// Returns the list without empty entries and without white space around entries, or `nil` if it is empty or
    /// invalid.
    static func validated(_ value: String) -> String? {
        // Enough for 32 entries of 513 characters, their commas and white space.
        guard value.utf8.count <= 32 << 10 else { return nil }
        let entries = value.utf8.split(separator: .comma).map(\.trimmedWhitespace).filter { !$0.isEmpty }
        guard !entries.isEmpty, entries.count <= 32, entries.allSatisfy(isEntry) else { return nil }
        return entries.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
    }

    private static func isEntry(_ entry: Substring.UTF8View) -> Bool {
        let parts = entry.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].first, first.isLowercaseOrDigit else { return false }
        guard parts[0].count <= 256, parts[0].allSatisfy({ $0.isLowercaseOrDigit || "_-*/@".utf8.contains($0) }) else {
            return false
        }
        return (1...256).contains(parts[1].count)
            && parts[1].allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }
}

extension Substring.UTF8View {
    /// These bytes without spaces and tabs at both ends.
    fileprivate var trimmedWhitespace: Substring.UTF8View {
        let isWhitespace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let first = firstIndex(where: { !isWhitespace($0) }), let last = lastIndex(where: { !isWhitespace($0) })
        else { return self[startIndex..<startIndex] }
        return self[first...last]
    }
}

extension String.UTF8View {
    fileprivate var trimmedWhitespace: Substring.UTF8View { Substring(String(self)).utf8.trimmedWhitespace }
}

extension ArraySlice<UInt8> {
    /// Whether these are lowercase hexadecimal digits.
    fileprivate var areDigits: Bool {
        allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Whether these are lowercase hexadecimal digits, not all zero.
    fileprivate var isIdentifier: Bool { areDigits && !allSatisfy { $0 == 0x30 } }
}

extension UInt8 {
    fileprivate static var dash: UInt8 { UInt8(ascii: "-") }
    fileprivate static var comma: UInt8 { UInt8(ascii: ",") }
    fileprivate var isLowercaseOrDigit: Bool { (0x61...0x7A).contains(self) || (0x30...0x39).contains(self) }
}
