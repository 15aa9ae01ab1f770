import ErrandSupport

/// The directives of the `Cache-Control` headers of a message (RFC 9111, section 5.2).
///
/// Names are compared without case. An argument can be a token or a quoted string. If a directive is repeated, the first
/// one is used (section 4.2.1). Parsing never fails and takes linear time.
struct CacheDirectives: Sendable, Hashable {
    /// The maximum number of seconds of an argument: 2^31, about 68 years (section 1.2.2). A larger number is reduced to it.
    static let longest: Double = 2_147_483_648

    private struct Directive: Sendable, Hashable {
        let name: String
        let argument: String?
    }

    private var list: [Directive] = []

    init(_ headers: HeaderFields) {
        for value in headers.all("Cache-Control") { parse(value) }
    }

    init(_ value: String?) {
        if let value { parse(value) }
    }

    /// Whether the list is empty.
    var isEmpty: Bool { list.isEmpty }

    /// Whether a directive is present, with or without an argument. `name` is in lower case.
    func contains(_ name: String) -> Bool { list.contains { $0.name == name } }

    /// Whether a directive without an argument is present.
    func containsWithoutArgument(_ name: String) -> Bool {
        list.contains { $0.name == name && $0.argument?.isEmpty != false }
    }

    /// The number of seconds of a directive. `nil` if it is missing. An argument that is not a number is 0, so that the
    /// response is stale (section 4.2.1).
    func seconds(_ name: String) -> Double? {
        guard let directive = list.first(where: { $0.name == name }) else { return nil }
        return directive.argument.flatMap(DeltaSeconds.value) ?? 0
    }

    /// The names of headers in the argument of a directive, in lower case.
    func fields(_ name: String) -> Set<String> {
        let arguments = list.filter { $0.name == name }.compactMap(\.argument)
        return Set(arguments.flatMap { $0.split(separator: ",").map { $0.trimmed(.whitespaces).lowercased() } })
    }

    private mutating func parse(_ value: String) {
        let bytes = Array(value.utf8)
        var index = 0
        while index < bytes.count {
            let end = bytes[index...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "=") } ?? bytes.count
            let name = String(decoding: bytes[index..<end], as: UTF8.self).trimmed(.whitespaces).lowercased()
            index = end
            var argument: String?
            if index < bytes.count, bytes[index] == UInt8(ascii: "=") {
                argument = Self.argument(in: bytes, at: &index)
            }
            if !name.isEmpty { list.append(Directive(name: name, argument: argument)) }
            index = (bytes[index...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count) + 1
        }
    }

    /// Returns the argument after the `=` at the index, and moves the index after it.
    private static func argument(in bytes: [UInt8], at index: inout Int) -> String {
        index += 1
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
            let end = bytes[index...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
            defer { index = end }
            return String(decoding: bytes[index..<end], as: UTF8.self).trimmed(.whitespaces)
        }
        var text: [UInt8] = []
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
            text.append(bytes[index])
            index += 1
        }
        index = min(index + 1, bytes.count)
        return String(decoding: text, as: UTF8.self)
    }
}

/// A number of seconds in a header (RFC 9111, section 1.2.2).
enum DeltaSeconds {
    /// Parses digits. Returns `nil` for other text.
    static func value(_ text: some StringProtocol) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        // A number with more digits is greater than the maximum.
        let digits = text.utf8.drop { $0 == UInt8(ascii: "0") }
        guard digits.count <= 10 else { return CacheDirectives.longest }
        let number = digits.reduce(0.0) { $0 * 10 + Double($1 - UInt8(ascii: "0")) }
        return min(number, CacheDirectives.longest)
    }
}
